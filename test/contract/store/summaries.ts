import { isSummarised, type SummaryRecord } from '../../../src/port/store/summaries';
import { aMessage, aRun, aSession, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const aSummary = (fields: Partial<SummaryRecord> = {}): SummaryRecord => ({
  tenantId: TENANT,
  sessionId: 'ses_1',
  runOrdinal: 1,
  position: 2,
  text: '## Ziel\nBohnen 🌱',
  createdAt: 1_000,
  ...fields,
});

export function describeSummaries(store: CurrentStore): void {
  const put = (summary: SummaryRecord) => store().transaction('none', tx => tx.summaries.put(summary));

  test('replaces the summary of a session, for this tenant only', async () => {
    await seed(store());
    expect(await store().read.summaries.get(TENANT, 'ses_1')).toBeUndefined();
    await put(aSummary());
    expect(await store().read.summaries.get(TENANT, 'ses_1')).toEqual(aSummary());
    const later = aSummary({ runOrdinal: 3, position: 0, text: 'later', createdAt: 2_000 });
    await put(later);
    expect(await store().read.summaries.get(TENANT, 'ses_1')).toEqual(later);
    expect(await store().read.summaries.get('rival', 'ses_1')).toBeUndefined();
    await expect(put(aSummary({ sessionId: 'ses_unknown' }))).rejects.toMatchObject({ code: 'internal' });
  });

  test('deletes the summary with its session', async () => {
    await seed(store());
    await put(aSummary());
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await store().read.summaries.get(TENANT, 'ses_1')).toBeUndefined();
  });

  test('marks in the sizes of messages which ones the summary covers, and changes no message', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      for (const runOrdinal of [1, 2, 3]) {
        const runId = `run_${runOrdinal}`;
        await tx.runs.insert(aRun({ id: runId, status: 'completed' }));
        await tx.messages.insert([0, 1, 2].map(position => aMessage({ runId, runOrdinal, position })));
      }
      await tx.summaries.put(aSummary({ sessionId: 'ses_2', runOrdinal: 9 }));
    });
    const before = await store().read.messages.history(TENANT, 'ses_1');
    const sizes = () => store().read.messages.sizes(TENANT, 'ses_1', 3, 100);
    expect((await sizes()).some(size => size.isSummarised)).toBe(false);
    const summary = aSummary({ runOrdinal: 2, position: 1 });
    await put(summary);
    const marked = (await sizes()).filter(size => size.isSummarised).map(({ runOrdinal, position }) => [runOrdinal, position]);
    expect(marked).toEqual([
      [2, 1],
      [2, 0],
      [1, 2],
      [1, 1],
      [1, 0],
    ]);
    expect(before.filter(row => isSummarised(row, summary))).toHaveLength(marked.length);
    expect(await store().read.messages.history(TENANT, 'ses_1')).toEqual(before);
  });
}
