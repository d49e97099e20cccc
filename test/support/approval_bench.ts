/** Starts a gateway whose rules require approval for some commands, with helpers for approval tests. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from './agent_bench';
import type { ChatClient } from './chat_client';

/** Handshake of a client that can show approvals. */
export const APPROVER = { capabilities: ['clarify@1', 'approval@1'] };
/** The events of an approved call in the log of its run. */
export const APPROVED = ['approval_request', 'approval_end', 'tool_call_start', 'tool_call_end'];

export const RULES = `rules:
  - { tool: bash, pattern: 'forbidden', decision: deny }
  - { tool: bash, pattern: '^publish\\b', decision: ask, session: rule, reason: { en: Others see this. } }
  - { tool: bash, pattern: 'tally', decision: ask }
  - { tool: write_file, pattern: 'guarded', decision: ask }
`;

export interface ApprovalBench extends AgentBench {
  /** Counts how often the tally command has run with this word. */
  tallyOf(word: string): Promise<number>;
  statusOf(runId: string): Promise<string>;
  /** Writes the rules that the next process reads. */
  setRules(rules: string): Promise<void>;
}

/** The model answers "tally WORD ..." with a command that needs approval and records the word, and "publish" with two such commands. */
export async function startApprovalBench({
  env = {},
  rules = RULES,
  failpoints = false,
}: {
  env?: Record<string, string>;
  rules?: string;
  failpoints?: boolean;
} = {}): Promise<ApprovalBench> {
  const config = await mkdtemp(join(tmpdir(), 'neta-approvals-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), rules);
  const bench = await startBench({ env: { NETA_CONFIG_DIR: config, ...env }, failpoints });
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

/** Sends a message that makes the model call a tool that needs approval, and resolves when the approval_request arrives. */
export async function chatUntilApproval(client: ChatClient, text: string, more: Record<string, unknown> = {}) {
  const { sessionId, runId } = await client.chat(text, more);
  const asked = await client.waitFor('approval_request', event => event.runId === runId);
  return { sessionId, runId, asked, requestId: asked.data.requestId };
}

/** Returns the types of the tool call and approval events, in order. */
export const stepsOf = (events: readonly RunEvent[]) =>
  events.map(event => event.type).filter(type => /^(approval|tool_call_(start|end))/.test(type));
