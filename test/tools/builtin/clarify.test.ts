import { clarifyTool, formatQuestion } from '../../../src/tools/builtin/clarify';
import type { ClarifyOutcome } from '../../../src/tools/question';
import { openToolBench, type ToolBench } from '../../support/tool_context';

describe('clarify', () => {
  let bench: ToolBench;
  beforeAll(async () => {
    bench = await openToolBench();
  });
  afterAll(() => bench.close());

  const ask = (outcome: ClarifyOutcome, args: unknown = { question: 'Which?', choices: ['red', 'blue'] }) =>
    bench.call(clarifyTool, args, { onClarifyRequest: async () => outcome });

  it('neta.clarify.params takes a question and at most four different choices', async () => {
    const refused = (choices: unknown) => expect(ask({ status: 'expired' }, { question: 'q', choices })).rejects.toThrow('choices');
    await refused(['a', 'b', 'c', 'd', 'e']);
    await refused(['a', 'a']);
    await refused(['']);
    await refused(['x'.repeat(201)]);
    await expect(ask({ status: 'expired' }, { question: '' })).rejects.toThrow('question');
  });

  it('neta.clarify.blocking passes question and choices on and waits for the answer', async () => {
    const asked: unknown[] = [];
    let answer: (outcome: ClarifyOutcome) => void = () => {};
    const pending = bench.call(
      clarifyTool,
      { question: 'Which?', choices: ['red'] },
      {
        onClarifyRequest: (...args) => {
          asked.push(args);
          return new Promise(resolve => {
            answer = resolve;
          });
        },
      },
    );
    await Promise.resolve();
    answer({ status: 'answered', answer: 'green, please' });
    const result = await pending;
    expect(asked).toEqual([['Which?', ['red']]]);
    expect(result).toMatchObject({ ok: true, content: 'The person answered:\ngreen, please' });
    expect(result.question).toBeUndefined();
  });

  it('replaces a bare number by the choice that it names', async () => {
    expect((await ask({ status: 'answered', answer: ' 2. ' })).content).toContain('blue');
    expect((await ask({ status: 'answered', answer: '7' })).content).toContain('7');
    const numbers = { question: 'How many?', choices: ['3', '1'] };
    expect((await ask({ status: 'answered', answer: '1' }, numbers)).details).toMatchObject({ answer: '1' });
  });

  it('neta.clarify.blocking tells the model to decide itself when there is no answer in time', async () => {
    const result = await ask({ status: 'expired' });
    expect(result).toMatchObject({ ok: true, details: { status: 'expired' } });
    expect(result.content).toContain('Decide yourself');
  });

  it('neta.clarify.blocking tells the model to decide itself when the channel to the person fails', async () => {
    const onClarifyRequest = async (): Promise<ClarifyOutcome> => {
      throw new Error('the channel is closed');
    };
    const result = await bench.call(clarifyTool, { question: 'Which?' }, { onClarifyRequest });
    expect(result).toMatchObject({ ok: false, content: expect.stringMatching(/could not be delivered.*Decide yourself/) });
  });

  it('fails when the question is withdrawn', async () => {
    expect(await ask({ status: 'cancelled' })).toMatchObject({ ok: false, details: { status: 'cancelled' } });
  });

  it('neta.clarify.degraded ends the turn with the question in a run that does not wait for answers', async () => {
    const result = await bench.call(clarifyTool, { question: 'Which?', choices: ['red', 'blue'] });
    expect(result).toMatchObject({ ok: true, question: { question: 'Which?', choices: ['red', 'blue'] } });
    const open = await bench.call(clarifyTool, { question: 'Which?', choices: [] });
    expect(open.question).toEqual({ question: 'Which?' });
  });

  it('has no time limit of its own', () => {
    expect(clarifyTool.timeoutMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('neta.clarify.degraded shows numbered choices, one a line, in both languages', () => {
    expect(formatQuestion('Which?', ['red', 'blue'], 'en').split('\n').slice(0, 4)).toEqual(['Which?', '', '1. red', '2. blue']);
    expect(formatQuestion('哪个?', ['红'], 'zh-CN')).toContain('\n1. 红\n');
    expect(formatQuestion('Which?', undefined, 'en')).toBe('Which?');
    expect(formatQuestion('Which?', [], 'en')).toBe('Which?');
  });
});
