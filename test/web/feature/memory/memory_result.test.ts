import { readMemoryResult } from '../../../../web/src/feature/memory/memory_result';

const MEMORY = { id: 'm1', text: 'Dates as 2026-01-31.', kind: 'preference' };

describe('the result of a tool that changes a memory', () => {
  it('says what is remembered', () => {
    const item = { state: 'ok' as const, args: { text: 'x' }, details: { status: 'created', memory: MEMORY } };
    expect(readMemoryResult(item)).toEqual({ status: 'remembered', memory: { id: 'm1', text: 'Dates as 2026-01-31.' } });
  });

  it('keeps the text that was not saved beside a near duplicate', () => {
    const item = {
      state: 'ok' as const,
      args: { text: 'dates: 2026-01-31', kind: 'odd' },
      details: { status: 'near_duplicate', nearDuplicate: MEMORY },
    };
    expect(readMemoryResult(item)).toMatchObject({ status: 'known', proposed: { text: 'dates: 2026-01-31', kind: 'fact' } });
  });

  it('says what is forgotten', () => {
    const item = { state: 'ok' as const, args: { id: 'm1' }, details: { forgotten: MEMORY } };
    expect(readMemoryResult(item)).toMatchObject({ status: 'forgotten', memory: { id: 'm1' } });
  });

  it.each([
    [{ state: 'failed' as const, args: {}, details: { status: 'created', memory: MEMORY } }],
    [{ state: 'ok' as const, args: {}, details: { memories: [MEMORY] } }],
    [{ state: 'ok' as const, args: {}, details: undefined }],
  ])('is an ordinary result otherwise: %j', item => {
    expect(readMemoryResult(item)).toBeUndefined();
  });
});
