import type { ImageRecord } from '../../../src/port/store/images';
import { aSession, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const anImage = (fields: Partial<ImageRecord> = {}): ImageRecord => ({
  tenantId: TENANT,
  sessionId: 'ses_1',
  id: 'img_1',
  mediaType: 'image/png',
  bytes: new Uint8Array([0x89, 0x50, 0, 0xff]),
  createdAt: 1_000,
  ...fields,
});

export function describeImages(store: CurrentStore): void {
  const insert = (image: ImageRecord) => store().transaction('none', tx => tx.images.insert(image));
  const read = async (sessionId = 'ses_1', tenantId = TENANT, id = 'img_1') => {
    const image = await store().read.images.get(tenantId, sessionId, id);
    return image && { ...image, bytes: new Uint8Array(image.bytes) };
  };

  test('keeps the bytes of an image, for this session and this tenant only', async () => {
    await seed(store());
    await insert(anImage());
    expect(await read()).toEqual(anImage());
    expect(await read('ses_1', TENANT, 'img_2')).toBeUndefined();
    expect(await read('ses_2')).toBeUndefined();
    expect(await read('ses_1', 'rival')).toBeUndefined();
  });

  test('refuses an id that is taken, and an image of a session that does not exist', async () => {
    await seed(store());
    await insert(anImage());
    await expect(insert(anImage({ mediaType: 'image/gif' }))).rejects.toMatchObject({ code: 'internal' });
    await expect(insert(anImage({ sessionId: 'ses_none' }))).rejects.toMatchObject({ code: 'internal' });
    expect(await read()).toEqual(anImage());
  });

  test('deletes the images of a session with it, in parts too', async () => {
    await seed(store());
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_other' }));
      for (let i = 1; i <= 25; i++) await tx.images.insert(anImage({ id: `img_${i}` }));
      await tx.images.insert(anImage({ sessionId: 'ses_other' }));
    });
    while (await store().transaction('none', tx => tx.sessions.deletePart(TENANT, 'ses_1', 1_000)));
    expect(await read()).toBeUndefined();
    expect(await read('ses_other')).toEqual(anImage({ sessionId: 'ses_other' }));
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_other'));
    expect(await read('ses_other')).toBeUndefined();
  });
}
