import type { Locale } from '../../port/store/sessions';
import { WorkspaceError } from '../../port/workspace';
import { errorResult, inLocale, type ToolResult } from '../../tools/common';

/** The result of a tool call that was not run because the files of its workspace could not be brought up to date. */
export function notBrought(locale: Locale, thrown: unknown): ToolResult {
  const [why, whyZh] = thrown instanceof WorkspaceError ? [` ${thrown.message}`, thrown.messageZh] : ['', ''];
  return errorResult(
    inLocale(
      { locale },
      `Not run: the newest files of the workspace could not be brought to this gateway.${why} Make the call again.`,
      `未执行：工作区的最新文件无法取到本网关。${whyZh}请再次调用。`,
    ),
  );
}

/** Lost files that are named; there may be thousands. */
export const MAX_LOST = 20;

/** The result of a tool call that was not run because the store has lost the text of files, which the model is told once. */
export function filesLost(locale: Locale, paths: readonly string[]): ToolResult {
  const named = paths.slice(0, MAX_LOST);
  const more = paths.length - named.length;
  const [rest, restZh] = more > 0 ? [` and ${more} more`, `等共 ${paths.length} 个`] : ['', ''];
  return errorResult(
    inLocale(
      { locale },
      `Not run: the text of these files of the workspace is lost: ${named.join(', ')}${rest}. Every other file is here. Make the call again, and tell the person.`,
      `未执行：工作区中这些文件的内容已丢失：${named.join('、')}${restZh}。其他文件都在。请再次调用，并告知用户。`,
    ),
  );
}
