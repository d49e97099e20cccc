/** Error results of file tools for paths that the workspace refuses, with the next thing to try. */
import { posix } from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { DecodedText } from '../port/decoded_text';
import { WorkspaceError } from '../port/workspace';
import { formatBytes } from '../utils/format_bytes';
import { distinctName, visibleName } from '../utils/look_alike_names';
import { errorResult, inLocale, type ToolContext, type ToolResult } from './common';

const MAX_SUGGESTIONS = 5;
const MAX_NAMES_COMPARED = 5_000;

/** Largest file the file tools read or write, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Returns the error result of a WorkspaceError; throws anything else again. */
export async function workspaceRefusal(thrown: unknown, path: string, ctx: ToolContext): Promise<ToolResult> {
  if (!(thrown instanceof WorkspaceError)) throw thrown;
  return errorResult(await refusalText(thrown, path, ctx), { code: thrown.code });
}

/** Returns the error result for a file that is not text. */
export function notTextRefusal(decoded: Exclude<DecodedText, { kind: 'text' }>, path: string, ctx: ToolContext): ToolResult {
  if (decoded.kind === 'binary') {
    const en = `${path} is a binary file, not text. If you can run commands, \`file\` tells its type and \`strings\` or \`xxd\` show parts of it.`;
    return errorResult(
      inLocale(ctx, en, `${path} 是二进制文件，不是文本。如果能运行命令，可用 file 查看类型，用 strings 或 xxd 查看部分内容。`),
    );
  }
  const from = decoded.guess ?? 'WINDOWS-1252';
  const what = decoded.guess ? `is ${decoded.guess} text, which is not supported here` : 'is text in an unknown encoding';
  const whatZh = decoded.guess ? `是 ${decoded.guess} 文本，此处不支持` : '的文本编码未知';
  const en = `${path} ${what}. If you can run commands, read it with: iconv -f ${from} -t UTF-8 (or another source encoding).`;
  const zh = `${path} ${whatZh}。如果能运行命令，可用 iconv -f ${from} -t UTF-8（或其他源编码）查看。`;
  return errorResult(inLocale(ctx, en, zh));
}

async function refusalText(error: WorkspaceError, path: string, ctx: ToolContext): Promise<string> {
  switch (error.code) {
    case 'outside':
      return inLocale(
        ctx,
        `This path leads out of the workspace, which is not allowed. Use a path relative to the workspace, such as "notes.txt", or an absolute one below ${ctx.workspace.root}.`,
        `该路径指向工作区之外，不允许访问。请使用相对于工作区的路径（如 "notes.txt"），或 ${ctx.workspace.root} 之下的绝对路径。`,
      );
    case 'not_found':
      return missingText(path, ctx);
    case 'not_a_file':
      return (await isDirectory(path, ctx))
        ? inLocale(ctx, `${path} is a directory. List it to see what is in it.`, `${path} 是目录。请列出该目录以查看其内容。`)
        : inLocale(ctx, `${path} is not a regular file, so it cannot be used here.`, `${path} 不是普通文件，无法在此使用。`);
    case 'not_a_directory':
      return inLocale(
        ctx,
        `${path}: a file stands where a directory is needed. Check the path, and treat this one as a file.`,
        `${path}：需要目录的位置上是一个文件。请核对路径，并把它当作文件处理。`,
      );
    case 'too_large':
      return inLocale(
        ctx,
        `${path} is larger than ${formatBytes(MAX_FILE_BYTES)}. Commands such as head, tail, grep and sed work with parts of it, if you can run any.`,
        `${path} 超过 ${formatBytes(MAX_FILE_BYTES)}。如果能运行命令，可用 head、tail、grep、sed 处理其中一部分。`,
      );
    case 'protected':
      return inLocale(
        ctx,
        `${path} is protected and cannot be changed. Do not try another way; tell the person if a change there is needed.`,
        `${path} 受保护，不能修改。不要尝试其他方式；如确需修改，请告知用户。`,
      );
    case 'exists':
    case 'io':
      return inLocale(ctx, `The file system refused: ${error.message}`, `文件系统拒绝了该操作：${error.messageZh}`);
  }
}

async function missingText(path: string, ctx: ToolContext): Promise<string> {
  const elsewhere = await elsewhereText(path, ctx);
  if (elsewhere !== undefined) return elsewhere;
  const alike = await ctx.workspace.lookAlikes(path);
  if (alike.length > 0) return alikeText(path, alike, ctx);
  const similar = await similarPaths(path, ctx);
  if (similar.length === 0) {
    return inLocale(
      ctx,
      `There is no ${path}. List the directory to see what exists before you try another name.`,
      `不存在 ${path}。请先列出目录查看现有内容，再尝试其他名称。`,
    );
  }
  return inLocale(
    ctx,
    `There is no ${path}. Similar names: ${similar.map(visibleName).join(', ')}`,
    `不存在 ${path}。相近的名称：${similar.map(visibleName).join('、')}`,
  );
}

/** The text about a missing file that the session has used in another gateway process, such as this gateway before a restart; undefined for any other path. */
export async function elsewhereText(path: string, ctx: ToolContext): Promise<string | undefined> {
  const name = ctx.workspace.relative(path);
  const gateway = await ctx.fileLedger?.findOtherGateway(name);
  if (gateway === undefined) return undefined;
  const en = `There is no ${name} here. This session last used it in the gateway process ${gateway}: it may be on the disk of that gateway, or deleted since. When you still need it, ask the person before you write it again. The person can continue there or set NETA_WORKSPACE_STORE.`;
  const zh = `这里没有 ${name}。本会话最后一次是在网关进程 ${gateway} 中使用它的：它可能在该网关的磁盘上，也可能之后已被删除。如果仍需要它，重新写入之前请先询问用户。用户可以在那里继续，或设置 NETA_WORKSPACE_STORE。`;
  return inLocale(ctx, en, zh);
}

function alikeText(path: string, alike: readonly string[], ctx: ToolContext): string {
  const [asked, names] = [distinctName(path), alike.map(distinctName)];
  return inLocale(
    ctx,
    `There is no ${asked}. These look the same: ${names.join(', ')}. Name one as it is written here, with its escapes.`,
    `不存在 ${asked}。看起来相同的有：${names.join('、')}。请按此处的写法（含转义）指定其中一个。`,
  );
}

/** Returns the paths of entries in the same directory with similar names, the most similar first. */
async function similarPaths(path: string, { workspace }: ToolContext): Promise<string[]> {
  const wanted = workspace.relative(path);
  const directory = posix.dirname(wanted);
  const entries = await workspace.list(directory).catch(() => []);
  const name = posix.basename(wanted).toLowerCase();
  return entries
    .slice(0, MAX_NAMES_COMPARED)
    .map(entry => ({ path: posix.join(directory, entry.name), score: unlikeness(name, entry.name.toLowerCase()) }))
    .filter(candidate => candidate.score <= Math.max(2, name.length * 0.4))
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(candidate => candidate.path);
}

/** Returns 0 for equal names. A name that contains the other (report, report.md) counts as 1 at most. */
function unlikeness(wanted: string, name: string): number {
  const contains = wanted.length >= 3 && name.length >= 3 && (name.includes(wanted) || wanted.includes(name));
  return contains ? Math.min(1, Math.abs(name.length - wanted.length)) : distance(wanted, name);
}

async function isDirectory(path: string, { workspace }: ToolContext): Promise<boolean> {
  const stat = await workspace.stat(path).catch(() => undefined);
  return stat?.kind === 'directory';
}
