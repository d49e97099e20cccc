/** A gateway whose rules ask before some commands run, and what tests of approvals do with it. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from './agent_bench';
import type { ChatClient } from './chat_client';

/** What a client says that can show approvals. */
export const CAPABLE = { capabilities: ['clarify@1', 'approval@1'] };
/** What an approved call leaves in the log of its run. */
export const APPROVED = ['approval_request', 'approval_end', 'tool_call_start', 'tool_call_end'];

export const RULES = `rules:
  - { tool: bash, pattern: 'forbidden', decision: deny }
  - { tool: bash, pattern: '^publish\\b', decision: ask, session: rule, reason: { en: Others see this. } }
  - { tool: bash, pattern: 'tally', decision: ask }
`;

export interface ApprovalBench extends AgentBench {
  /** How often a command that was asked about ran with this word. */
  tallyOf(word: string): Promise<number>;
  statusOf(runId: string): Promise<string>;
  /** The next process reads these. */
  setRules(rules: string): Promise<void>;
}

/** The model answers "tally WORD ..." with a command that needs a yes and notes the word, and "publish" with two. */
export async function startApprovalBench({
  env = {},
  rules = RULES,
}: {
  env?: Record<string, string>;
  rules?: string;
} = {}): Promise<ApprovalBench> {
  const config = await mkdtemp(join(tmpdir(), 'neta-approvals-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), rules);
  const bench = await startBench({ env: { NETA_CONFIG_DIR: config, ...env } });
  const { model, gateway, rest } = bench;
  const bash = (command: string) => ({ toolCalls: [{ name: 'bash', arguments: { command } }] });
  const last = (request: { toolResults: string[] }) => `Told: ${request.toolResults.at(-1)}`;
  model.onTurn('tally', request => bash(`echo ${request.userText.split(' ')[1]} >> tally.txt`), last);
  const publish = (what: string) => bash(`publish() { echo "$1 is out"; }\npublish ${what}`);
  model.onTurn('publish', publish('one'), publish('two'), last);
  return {
    ...bench,
    async tallyOf(word) {
      const text = await readFile(join(gateway.workspace, 'tally.txt'), 'utf8').catch(() => '');
      return text.split('\n').filter(line => line === word).length;
    },
    statusOf: async runId => (await rest.request<{ status: string }>('GET', `/runs/${runId}`)).body.status,
    setRules: text => writeFile(join(config, 'approvals.yaml'), text),
    async stop() {
      await bench.stop();
      await rm(config, { recursive: true, force: true });
    },
  };
}

/** Sends a message to which the model answers with a call that needs a yes, and resolves when that is asked for. */
export async function beAsked(client: ChatClient, text: string, more: Record<string, unknown> = {}) {
  const { sessionId, runId } = await client.chat(text, more);
  const asked = await client.waitFor('approval_request', event => event.runId === runId);
  return { sessionId, runId, asked, requestId: asked.data.requestId };
}

/** The types of the events that tell of tool calls and approvals. */
export const stepsOf = (events: readonly RunEvent[]) =>
  events.map(event => event.type).filter(type => /^(approval|tool_call_(start|end))/.test(type));
