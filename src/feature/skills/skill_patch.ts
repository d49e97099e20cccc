/** Edits one file of a skill with the patch engine. */
import type { PatchEngine, PatchOutcome, PatchRequest } from '../../port/patch_engine';
import { patchBytes } from '../../tools/patch_bytes';
import { shortDiff } from '../../tools/short_diff';
import { SkillRefusal } from './tools/skill_access';

/** Larger files are patched in another thread, as the engine's worst case takes about 0.2 ms per KiB. */
const MAX_INLINE_BYTES = 256 * 1024;
const MAX_INLINE_QUOTE = 32 * 1024;

interface Patched {
  bytes: Uint8Array;
  diff: string;
}

/** Patches a file of a skill. Rejects with SkillRefusal when the quoted text is not found, occurs several times, or the file is not text. */
export async function patchSkillFile(
  before: Uint8Array,
  request: PatchRequest,
  { patchEngine, signal }: { patchEngine: PatchEngine; signal: AbortSignal },
): Promise<Patched> {
  const outcome = await patch(before, request, { patchEngine, signal });
  if (outcome.kind === 'patched') return { bytes: outcome.bytes, diff: outcome.diff };
  throw toRefusal(outcome);
}

/** Makes a new file of the text that a patch would have put in. */
export function createSkillFile({ path, newString, locale }: PatchRequest): Patched {
  return { bytes: Buffer.from(newString, 'utf8'), diff: shortDiff(path, '', newString, locale).text };
}

function patch(
  bytes: Uint8Array,
  request: PatchRequest,
  { patchEngine, signal }: { patchEngine: PatchEngine; signal: AbortSignal },
): PatchOutcome | Promise<PatchOutcome> {
  const isBig = bytes.length > MAX_INLINE_BYTES || request.oldString.length > MAX_INLINE_QUOTE;
  return isBig ? patchEngine.patch(bytes, request, signal) : patchBytes(bytes, request);
}

function toRefusal(outcome: Exclude<PatchOutcome, { kind: 'patched' }>): SkillRefusal {
  const [en, zhCN] = textsOf(outcome);
  return new SkillRefusal('invalid', { en, 'zh-CN': zhCN }, '/old_string');
}

function textsOf(outcome: Exclude<PatchOutcome, { kind: 'patched' }>): [en: string, zhCN: string] {
  switch (outcome.kind) {
    case 'refused': {
      const { code, error, errorZh = error, hints = [], hintsZh = hints } = outcome.refusal;
      return [
        [`The file was not changed (${code}). ${error}`, ...hints].join('\n'),
        [`文件未修改（${code}）。${errorZh}`, ...hintsZh].join('\n'),
      ];
    }
    case 'unencodable':
      return [
        `The file is stored as ${outcome.encoding}, which cannot hold "${outcome.character}"; nothing was written.`,
        `文件以 ${outcome.encoding} 编码保存，无法表示“${outcome.character}”；未写入任何内容。`,
      ];
    case 'not_text':
    case 'damaged':
      return ['The file is not text that can be edited; nothing was written.', '该文件不是可编辑的文本；未写入任何内容。'];
  }
}
