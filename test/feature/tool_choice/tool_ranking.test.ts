import { ToolRanking } from '../../../src/feature/tool_choice/tool_ranking';
import type { AgentTool } from '../../../src/tools/common';
import { cpuTime } from '../../support/cpu_time';

interface LabelledRequest {
  text: string;
  needs: string[][];
  part: string;
}

/** The data of `npm run bench:assembler`. */
const corpus: {
  foreignTools(): AgentTool[];
  requestsOf(locale: string): LabelledRequest[];
  recall(needs: string[][], names: string[], count: number): number;
} = require('../../../bench/assembler/corpus.cjs');

const tools = corpus.foreignTools();
const ranking = new ToolRanking(tools);
const namesFor = (message: string, plan?: string) => ranking.rank({ message, ...(plan && { plan }) }).map(({ name }) => name);

describe('the ranking of tools by words (beaver.assembler)', () => {
  it('has at least 150 tools and 120 requests, half of them Chinese, to be measured with', () => {
    expect(tools.length).toBeGreaterThanOrEqual(150);
    for (const locale of ['en', 'zh-CN']) expect(corpus.requestsOf(locale).length).toBeGreaterThanOrEqual(60);
  });

  it.each(['en', 'zh-CN'])('finds what a request needs among the first 20 (%s)', locale => {
    const recallOf = (requests: LabelledRequest[]) =>
      requests.reduce((sum, { text, needs }) => sum + corpus.recall(needs, namesFor(text), 20), 0) / requests.length;
    const requests = corpus.requestsOf(locale);
    expect(recallOf(requests)).toBeGreaterThanOrEqual(0.95);
    // Nothing was tuned with these.
    expect(recallOf(requests.filter(({ part }) => part === 'unseen'))).toBeGreaterThanOrEqual(0.9);
  });

  it('keeps the best score low when a message and the tools share a word that says little', () => {
    const bestOf = (message: string) => ranking.rank({ message })[0]?.score ?? 0;
    for (const message of ['ok go on', 'no, not like this', '太好了', '能不能短一点']) expect(bestOf(message)).toBe(0.2);
    for (const message of ['book a hotel', 'dim the lights', '订酒店']) expect(bestOf(message)).toBe(1);
  });

  it('counts the plan less than the message', () => {
    const [first] = namesFor('Send an email to Bob', 'merge the pull request');
    expect(first).toContain('email');
    expect(namesFor('Go on', 'merge the pull request')[0]).toBe('github__merge_pull_request');
  });

  it('finds nothing for a message without a subject', () => {
    expect(namesFor('Thank you!')).toEqual([]);
    expect(namesFor('')).toEqual([]);
    expect(namesFor('谢谢')).toEqual([]);
  });

  it('takes a long message within a moment', () => {
    const started = cpuTime();
    namesFor('send the mail about the branch '.repeat(20_000));
    expect(cpuTime() - started).toBeLessThan(500);
  });
});
