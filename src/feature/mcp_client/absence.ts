/** The result of a call while its server is not connected. */
import { errorResult, inLocale, type ToolContext, type ToolResult } from '../../tools/common';
import { type Bilingual, inBoth } from '../../utils/bilingual';

export interface Absence {
  server: string;
  /** Why the server is absent, as a sentence or clause. */
  reason: Bilingual;
  /** Milliseconds until the server is tried again. Undefined: it is being connected now. */
  retryMs: number | undefined;
  /** The server will not be connected any more. */
  isFinal: boolean;
}

export function notConnected(absence: Absence, ctx: Pick<ToolContext, 'locale'>): ToolResult {
  const { server } = absence;
  const reason = clauseOf(absence.reason);
  const [en, zhCN] = adviceFor(absence);
  const content = inLocale(
    ctx,
    `Not run: the MCP server "${server}" is not connected (${reason.en}). ${en}`,
    `未执行：MCP 服务器“${server}”未连接（${reason['zh-CN']}）。${zhCN}`,
  );
  return errorResult(content, { server });
}

function adviceFor({ retryMs, isFinal }: Absence): [en: string, zhCN: string] {
  if (isFinal) return ['Go on without it.', '请不用它继续。'];
  if (retryMs === undefined) return ['It is being connected now: call again in a moment.', '正在连接，请稍后再次调用。'];
  const seconds = Math.max(1, Math.ceil(retryMs / 1_000));
  return [
    `It is tried again in ${seconds} s: call again after that, or go on without it.`,
    `将在 ${seconds} 秒后重试：可在那之后再次调用，或者不用它继续。`,
  ];
}

/** Says as a clause why the tools of a server are not offered. */
export function absenceProblem(server: string, reason: Bilingual): Bilingual {
  const { en, 'zh-CN': zhCN } = clauseOf(reason);
  return inBoth(`the MCP server ${server} is not connected, and is tried again: ${en}`, `MCP 服务器 ${server} 未连接，将会重试：${zhCN}`);
}

/** Returns the sentence without its full stop. */
const clauseOf = ({ en, 'zh-CN': zhCN }: Bilingual): Bilingual => inBoth(en.replace(/\.$/, ''), zhCN.replace(/。$/, ''));

export const noAnswerWithin = (seconds: number): Bilingual =>
  inBoth(`It did not answer within ${seconds} s.`, `它在 ${seconds} 秒内没有响应。`);
