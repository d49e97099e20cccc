import fc from 'fast-check';
import type { RunEvent, RunEventBody } from '../../../src/port/run_event';
import { FencedError } from '../../../src/port/store/store_errors';
import { aRun, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const USAGE: RunEventBody = { type: 'usage', data: { inputTokens: 1, outputTokens: 2 } };

const toolDelta = (toolCallId: string, output: string): RunEventBody => ({
  type: 'tool_call_delta',
  data: { toolCallId, name: 'bash', output },
});

const text = fc.string({ unit: 'grapheme', maxLength: 6 });
const DAY = Date.parse('2026-01-01T00:00:00.000Z');
const ODD_TIMES = [
  '2026-01-01T00:00:00Z',
  'no time at all',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  '2026-01-01T08:00:60.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-02-30T00:00:01.000Z',
  '+010000-01-01T00:00:00.000Z',
];
const time = fc.oneof(
  { weight: 5, arbitrary: fc.nat(86_399_999).map(offset => new Date(DAY + offset).toISOString()) },
  { weight: 4, arbitrary: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(date => date.toISOString()) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_TIMES) },
);
const body: fc.Arbitrary<RunEventBody> = fc.oneof(
  { weight: 5, arbitrary: text.map(textDelta) },
  { weight: 2, arbitrary: text.map((value): RunEventBody => ({ type: 'reasoning_delta', data: { text: value } })) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('call_1', 'call_2'), text).map(([id, output]) => toolDelta(id, output)) },
  { weight: 1, arbitrary: text.map((content): RunEventBody => ({ type: 'message_end', data: { role: 'assistant', content } })) },
  { weight: 1, arbitrary: fc.constant(USAGE) },
);

export function describeEvents(store: CurrentStore): void {
  test('returns every event exactly, for any batches and any cursor', async () => {
    await seed(store());
    let id = 0;
    const batches = fc.array(fc.array(fc.tuple(body, time), { maxLength: 12 }), { maxLength: 6 });
    const property = fc.asyncProperty(batches, fc.nat(40), fc.integer({ min: 1, max: 40 }), async (parts, after, limit) => {
      const run = { ...RUN, id: `run_any_${id++}` };
      const bodies = parts.flat();
      const events = numbered(
        bodies.map(([event]) => event),
        1,
        run,
      ).map((event, i) => ({ ...event, ts: bodies[i]![1] }));
      await store().transaction('none', async tx => {
        await tx.runs.insert(aRun({ id: run.id, status: 'completed' }));
        let start = 0;
        for (const { length } of parts) {
          await tx.events.append(run, events.slice(start, start + length));
          start += length;
        }
      });
      expect(await store().read.events.list(TENANT, run.id, 0, 1_000)).toEqual(events);
      expect(await store().read.events.list(TENANT, run.id, after, limit)).toEqual(events.slice(after, after + limit));
      expect((await store().read.runs.get(TENANT, run.id))?.lastSeq).toBe(events.length);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test('returns thousands of packed deltas exactly, also in pages that begin and end inside a row', async () => {
    const deltas = Array.from({ length: 2_500 }, (_, i) => textDelta(`word ${i} `));
    const events = numbered([USAGE, ...deltas, USAGE]);
    await seed(store(), tx => tx.events.append(RUN, events));
    expect(await store().read.events.list(TENANT, 'run_1', 0, 10_000)).toEqual(events);
    const paged = [];
    for (let after = 0; after < events.length; after += 700) paged.push(...(await store().read.events.list(TENANT, 'run_1', after, 700)));
    expect(paged).toEqual(events);
  });

  test('limits pages in bytes without losing events, and always returns one row', async () => {
    const events = numbered(
      Array.from({ length: 60 }, (_, i) => (i % 3 ? textDelta('y'.repeat(i)) : toolDelta(`call_${i}`, 'x'.repeat(i * 20)))),
    );
    await seed(store(), tx => tx.events.append(RUN, events));
    const pages: RunEvent[][] = [];
    for (let after = 0; after < events.length; after = pages.at(-1)!.at(-1)!.seq) {
      pages.push(await store().read.events.list(TENANT, 'run_1', after, { limit: 25, maxBytes: 1_000 }));
    }
    expect(pages.flat()).toEqual(events);
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(25);
    expect(await store().read.events.list(TENANT, 'run_1', 57, { limit: 25, maxBytes: 1 })).toEqual(events.slice(57, 58));
    expect(await store().read.events.list(TENANT, 'run_1', 60, { limit: 25, maxBytes: 1_000 })).toEqual([]);
  });

  test('stores very large deltas', async () => {
    const events = numbered([
      toolDelta('call_1', 'x'.repeat(300_000)),
      toolDelta('call_1', '叶'.repeat(100_000)),
      toolDelta('call_1', 'end'),
    ]);
    await seed(store(), tx => tx.events.append(RUN, events));
    expect(await store().read.events.list(TENANT, 'run_1', 0, 10)).toEqual(events);
  });

  test('refuses a writer of an older epoch', async () => {
    await seed(store(), tx => tx.events.append(RUN, numbered([USAGE])));
    await store().transaction('none', tx => tx.runs.update(TENANT, 'run_1', { from: ['running'], epoch: 1 }, { epoch: 2 }));
    await expect(store().transaction('none', tx => tx.events.append(RUN, numbered([USAGE], 2)))).rejects.toBeInstanceOf(FencedError);
    await store().transaction('none', tx => tx.events.append({ ...RUN, epoch: 2 }, numbered([textDelta('new owner')], 2)));
    expect(await store().read.events.list(TENANT, 'run_1', 1, 10)).toEqual(numbered([textDelta('new owner')], 2));
  });

  test('refuses a writer whose run was deleted', async () => {
    await seed(store());
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    await expect(store().transaction('none', tx => tx.events.append(RUN, numbered([USAGE])))).rejects.toBeInstanceOf(FencedError);
  });

  test.each([
    ['leave a gap', numbered([USAGE], 3)],
    ['repeat a number', numbered([USAGE], 1)],
    ['are out of order', [...numbered([USAGE], 3), ...numbered([USAGE], 2)]],
    ['belong to another run', numbered([USAGE], 2, { id: 'run_2', sessionId: 'ses_1' })],
  ])('refuses events that %s', async (_, events) => {
    await seed(store(), tx => tx.events.append(RUN, numbered([USAGE])));
    const append = store().transaction('none', tx => tx.events.append(RUN, events));
    await expect(append).rejects.toMatchObject({ name: 'AppError', code: 'internal' });
    expect(await store().read.events.list(TENANT, 'run_1', 0, 10)).toHaveLength(1);
    expect((await store().read.runs.get(TENANT, 'run_1'))?.lastSeq).toBe(1);
  });
}
