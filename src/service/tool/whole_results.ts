/** The whole text of a tool call's result, in pages and with search: from the file that keeps a long result, else from the stored message. */
import { AppError } from '../../errors';
import type { ReadableStore } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import { LEFT_OUT } from '../../utils/clip_text';
import { findAll } from '../../utils/find_all';
import type { ResultFiles } from './result_files';

export interface ResultQuery {
  /** First character, in UTF-16 code units from 0. */
  offset: number;
  /** Most characters of the page. */
  limit: number;
  /** Words to find, in upper or lower case. */
  words?: string;
}

export interface ResultPage {
  text: string;
  offset: number;
  /** Where the next page begins; absent on the last page. */
  nextOffset?: number;
  /** Characters of the whole text. */
  length: number;
  /** False when only the truncated text is stored. */
  isComplete: boolean;
  /** Number of matches, and where the first of them begin; absent without words. */
  matches?: { count: number; offsets: number[] };
}

interface KeptResult {
  text: string;
  isComplete: boolean;
}

/** Matches whose places are told. */
const MAX_MATCHES = 2_000;

export interface WholeResultsDeps {
  store: ReadableStore<'toolExecutions' | 'runs' | 'messages'>;
  results: Pick<ResultFiles, 'readResult'>;
  /** Brings the files of a tenant up to date. */
  bring: (tenantId: string) => Promise<unknown>;
}

export class WholeResults {
  constructor(private readonly deps: WholeResultsDeps) {}

  /** Reads a page of the result. Rejects `not_found`, also for a call that has no result yet. */
  async readPage(tenantId: string, executionId: string, { offset, limit, words }: ResultQuery): Promise<ResultPage> {
    const execution = await this.deps.store.read.toolExecutions.get(tenantId, executionId);
    const kept = execution && (await this.readText(execution));
    if (!kept) throw noResult();
    const { text, isComplete } = kept;
    const start = characterStart(text, Math.min(offset, text.length));
    const end = characterStart(text, Math.min(start + limit, text.length));
    return {
      text: text.slice(start, end),
      offset: start,
      nextOffset: end < text.length ? end : undefined,
      length: text.length,
      isComplete,
      matches: words === undefined ? undefined : await findAll(text, words, MAX_MATCHES),
    };
  }

  private async readText(execution: ToolExecutionRecord): Promise<KeptResult | undefined> {
    const { tenantId, id, sessionId, runId, toolCallId } = execution;
    if (sessionId !== undefined && runId !== undefined && toolCallId !== undefined) {
      const content = await this.readMessage({ tenantId, sessionId, runId, toolCallId });
      if (content !== undefined) return (await this.readFile(execution, content)) ?? asKept(content);
    }
    const answer = await this.deps.store.read.toolExecutions.getAnswer(tenantId, id);
    const whole = contentOf(answer?.['result']);
    if (whole !== undefined) return { text: whole, isComplete: true };
    const text = execution.result ?? execution.error;
    return text === undefined ? undefined : asKept(text);
  }

  /** Reads the result that the model got. */
  private async readMessage(call: Required<Pick<ToolExecutionRecord, 'tenantId' | 'sessionId' | 'runId' | 'toolCallId'>>) {
    const { tenantId, sessionId, runId, toolCallId } = call;
    const { runs, messages } = this.deps.store.read;
    const run = await runs.get(tenantId, runId);
    if (!run) return undefined;
    const rows = await messages.ofRun(tenantId, sessionId, run.ordinal);
    const found = rows.findLast(({ message }) => message.role === 'tool' && message.tool_call_id === toolCallId);
    return typeof found?.message.content === 'string' ? found.message.content : undefined;
  }

  /** Reads the file of a truncated result. A later call may have the same id, and people can change the file, so it must begin like the stored text. */
  private async readFile({ tenantId, sessionId = '', toolCallId = '' }: ToolExecutionRecord, content: string) {
    const cut = LEFT_OUT.exec(content);
    if (!cut) return undefined;
    await this.deps.bring(tenantId);
    const text = await this.deps.results.readResult({ tenantId, sessionId }, toolCallId);
    return text?.startsWith(content.slice(0, cut.index)) ? { text, isComplete: true } : undefined;
  }
}

const asKept = (text: string): KeptResult => ({ text, isComplete: !LEFT_OUT.test(text) });

const contentOf = (result: unknown): string | undefined => {
  const content = typeof result === 'object' && result !== null ? (result as { content?: unknown }).content : undefined;
  return typeof content === 'string' ? content : undefined;
};

/** Returns the index, one less where it would split a surrogate pair. */
function characterStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

const noResult = (): AppError =>
  new AppError('not_found', { message: 'This call has no stored result.', messageZh: '这次调用没有已保存的结果。' });
