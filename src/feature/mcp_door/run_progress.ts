/** Reports the progress of a call to a client that asks for it. What the model says or thinks is never part of it. */

import type { RunEvent } from '../../port/run_event';
import type { Locale } from '../../port/store/sessions';
import { clipStart } from '../../utils/clip_text';
import { toPlainText } from '../../utils/plain_text';

/** The longest silence in milliseconds: clients limit the time between two messages. */
const QUIET_MS = 10_000;
const MAX_TEXT_UNITS = 200;

/** The request of a call. `sendNotification` sends a message on the stream of its answer. */
export interface ProgressTarget {
  _meta?: { progressToken?: string | number | undefined } | undefined;
  sendNotification(notification: { method: 'notifications/progress'; params: ProgressParams }): Promise<void>;
}

interface ProgressParams {
  [key: string]: unknown;
  progressToken: string | number;
  progress: number;
  message: string;
  _meta: Record<string, unknown> | undefined;
}

export class ProgressReporter {
  private count = 0;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly extra: ProgressTarget,
    private readonly locale: Locale,
  ) {
    if (extra._meta?.progressToken === undefined) return;
    this.timer = setInterval(() => this.send(locale === 'zh-CN' ? '进行中' : 'In progress'), QUIET_MS).unref();
  }

  /** Names the run, so that a client that loses this call finds its result by REST. */
  reportStart({ id: runId, sessionId }: { id: string; sessionId: string }): void {
    this.send(this.locale === 'zh-CN' ? '运行已被接受' : 'The run is accepted', { 'neta/run': { runId, sessionId } });
  }

  reportEvent(event: RunEvent): void {
    const text = progressText(event, this.locale);
    if (text !== undefined) this.send(toLine(text));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private send(message: string, meta?: Record<string, unknown>): void {
    if (!this.timer) return;
    const { _meta: { progressToken = 0 } = {} } = this.extra;
    this.count += 1;
    this.timer.refresh();
    const params = { progressToken, progress: this.count, message, _meta: meta };
    // Ignored: a client whose stream is gone reads the rest when it comes back.
    this.extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  }
}

/** Clients print progress on a terminal, and tasks and labels can come from strangers: no control characters, one line. */
const toLine = (text: string): string => clipStart(toPlainText(clipStart(text, 2 * MAX_TEXT_UNITS)).replace(/\s+/g, ' '), MAX_TEXT_UNITS);

/** Returns undefined for an event that is no step of its own. */
export function progressText(event: RunEvent, locale: Locale): string | undefined {
  const isChinese = locale === 'zh-CN';
  switch (event.type) {
    case 'tool_call_start':
      return isChinese ? `开始：${event.data.label}` : `Started: ${event.data.label}`;
    case 'tool_call_end': {
      const { label, ok } = event.data;
      if (isChinese) return `${ok ? '完成' : '失败'}：${label}`;
      return `${ok ? 'Done' : 'Failed'}: ${label}`;
    }
    case 'todo_update': {
      const { completed, total } = event.data.summary;
      return isChinese ? `计划：${total} 项中已完成 ${completed} 项` : `Plan: ${completed} of ${total} done`;
    }
    case 'delegate_start':
      return `${event.data.member}: ${event.data.task}`;
    case 'delegate_end':
      return isChinese ? `${event.data.member} 已结束：${event.data.status}` : `${event.data.member} has ended: ${event.data.status}`;
    case 'clarify_request':
    case 'approval_request':
      return isChinese ? '等待用户回答' : 'Waiting for a person';
    case 'clarify_end':
    case 'approval_end':
      return isChinese ? '继续' : 'Going on';
    default:
      return undefined;
  }
}
