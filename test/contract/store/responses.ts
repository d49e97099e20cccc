import type { ResponseRecord } from '../../../src/feature/openai_door/responses/store/response_records';
import { aMessage, aRun, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const aResponse = (fields: Partial<ResponseRecord> = {}): ResponseRecord => ({
  tenantId: TENANT,
  runId: 'run_1',
  sessionId: 'ses_1',
  settings: { model: 'default', temperature: null },
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Ünïcödé' }] }],
  isKept: true,
  createdAt: 1_000,
  ...fields,
});

export function describeResponses(store: CurrentStore): void {
  test('returns a response as it was stored, for this tenant only, until it is deleted', async () => {
    await seed(store(), tx => tx.responses.insert(aResponse()));
    expect(await store().read.responses.get(TENANT, 'run_1')).toEqual(aResponse());
    expect(await store().read.responses.get('rival', 'run_1')).toBeUndefined();
    expect(await store().transaction('none', tx => tx.responses.delete('rival', 'run_1'))).toBe(false);
    expect(await store().transaction('none', tx => tx.responses.delete(TENANT, 'run_1'))).toBe(true);
    expect(await store().transaction('none', tx => tx.responses.delete(TENANT, 'run_1'))).toBe(false);
    expect(await store().read.responses.get(TENANT, 'run_1')).toBeUndefined();
  });

  test('counts the responses of a session and deletes them with it', async () => {
    await seed(store(), async tx => {
      await tx.runs.insert(aRun({ id: 'run_2', status: 'queued' }));
      await tx.responses.insert(aResponse());
      await tx.responses.insert(aResponse({ runId: 'run_2' }));
    });
    expect(await store().read.responses.count(TENANT, 'ses_1')).toBe(2);
    expect(await store().read.responses.count('rival', 'ses_1')).toBe(0);
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await store().read.responses.get(TENANT, 'run_1')).toBeUndefined();
    expect(await store().read.responses.count(TENANT, 'ses_1')).toBe(0);
  });

  test('lists the responses that are not kept, of all tenants, oldest first', async () => {
    await seed(store(), async tx => {
      for (const id of ['run_2', 'run_3', 'run_4']) await tx.runs.insert(aRun({ id, status: 'queued' }));
      await tx.responses.insert(aResponse());
      await tx.responses.insert(aResponse({ runId: 'run_2', isKept: false, createdAt: 2_000 }));
      await tx.responses.insert(aResponse({ runId: 'run_3', isKept: false, createdAt: 1_500 }));
      await tx.responses.insert(aResponse({ runId: 'run_4', isKept: false, createdAt: 9_000 }));
    });
    const row = (runId: string) => ({ tenantId: TENANT, runId, sessionId: 'ses_1' });
    expect(await store().read.responses.unkept(9_000, 10)).toEqual([row('run_3'), row('run_2')]);
    expect(await store().read.responses.unkept(9_000, 1)).toEqual([row('run_3')]);
  });

  test('refuses a second response of a run, and one of a session that does not exist', async () => {
    await seed(store(), tx => tx.responses.insert(aResponse()));
    await expect(store().transaction('none', tx => tx.responses.insert(aResponse()))).rejects.toMatchObject({ code: 'internal' });
    const ofNone = aResponse({ runId: 'run_9', sessionId: 'ses_none' });
    await expect(store().transaction('none', tx => tx.responses.insert(ofNone))).rejects.toMatchObject({ code: 'internal' });
  });

  test('lists the messages of one run, in order', async () => {
    const messages = [0, 1, 2].map(position => aMessage({ position, message: { role: 'user', content: `${position}` } }));
    const later = aMessage({ id: 'msg_later', runId: 'run_2', runOrdinal: 2 });
    await seed(store(), async tx => {
      await tx.runs.insert(aRun({ id: 'run_2', status: 'queued' }));
      await tx.messages.insert([...messages.toReversed(), later]);
    });
    expect(await store().read.messages.ofRun(TENANT, 'ses_1', 1)).toEqual(messages);
    expect(await store().read.messages.ofRun(TENANT, 'ses_1', 2)).toEqual([later]);
    expect(await store().read.messages.ofRun('rival', 'ses_1', 1)).toEqual([]);
  });
}
