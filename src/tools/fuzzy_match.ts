import type { PatchRefusal, PatchStrategy } from '../port/patch_engine';
import type { Bilingual } from '../utils/bilingual';
import { Budget, BudgetExceeded } from './fuzzy/budget';
import { findExact } from './fuzzy/locate/exact';
import { FileView, toLineFeeds } from './fuzzy/locate/file_view';
import { isTooLargeToFold, locateFolded, locateSimilar } from './fuzzy/locate/locate';
import { disjoint, PatchAttempt } from './fuzzy/patch_attempt';
import { refuse } from './fuzzy/refuse/refusals';
import type { FuzzyMatch, PatchOptions, PatchResult } from './fuzzy/types';

/**
 * Returns the matches of the first of the nine levels that has any: ordered, disjoint, with offsets into the original content.
 * Returns none when nothing matches, when `search` is empty, or when the work limit is reached. Never throws.
 */
export function fuzzyFindAll(content: string, search: string): FuzzyMatch[] {
  if (typeof content !== 'string' || typeof search !== 'string') return [];
  try {
    return findAll(new FileView(content), toLineFeeds(search), new Budget());
  } catch (error) {
    if (error instanceof BudgetExceeded) return [];
    throw error;
  }
}

/**
 * Replaces the one place that matches old_string (every place with replaceAll) by a three-way merge: text that old and new
 * share stays as the file has it; new text gets the file's indentation, line ends and typography. Refuses an ambiguous or
 * conflicting edit. Pure and synchronous, never throws, bounded work.
 */
export function applyPatch(content: string, oldString: string, newString: string, options: PatchOptions = {}): PatchResult {
  const unusable = findUnusable({ content, old_string: oldString, new_string: newString });
  if (unusable) return unusable;
  if (oldString === '') return refuse('empty_old', EMPTY_OLD);
  if (oldString === newString) return refuse('identical', IDENTICAL);
  try {
    return new PatchAttempt(content, { old: oldString, next: newString }, options ?? {}, new Budget()).run();
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return refuse('too_large', TOO_MUCH_WORK);
  }
}

const EMPTY_OLD: Bilingual = {
  en: 'old_string is empty. Quote the text to replace; a new file has to be written whole.',
  'zh-CN': 'old_string 为空。请引用要替换的文本；新建文件需要写入全部内容。',
};
const IDENTICAL: Bilingual = {
  en: 'old_string and new_string are the same; there is nothing to change.',
  'zh-CN': 'old_string 与 new_string 相同，没有可改的内容。',
};
const TOO_MUCH_WORK: Bilingual = {
  en: 'Finding old_string would take too much work in this file. Quote fewer lines, exactly as the file has them.',
  'zh-CN': '在此文件中查找 old_string 工作量过大。请少引用几行，并与文件完全一致。',
};

/** Checks the arguments, because JavaScript callers may pass anything. A lone surrogate can neither be found nor stored. */
function findUnusable(texts: Record<'content' | 'old_string' | 'new_string', unknown>): PatchRefusal | undefined {
  for (const [name, text] of Object.entries(texts)) {
    const kind = text === null ? 'null' : typeof text;
    if (kind !== 'string')
      return refuse('not_text', { en: `${name} must be text, but it is ${kind}.`, 'zh-CN': `${name} 必须是文本，但收到的是 ${kind}。` });
  }
  const { old_string: old, new_string: next } = texts as Record<string, string>;
  if (!old!.isWellFormed())
    return refuse('no_match', {
      en: 'old_string holds half of a character (a lone surrogate), which no file has.',
      'zh-CN': 'old_string 含有半个字符（单独的代理项），文件中不会有。',
    });
  if (!next!.isWellFormed())
    return refuse('not_text', {
      en: 'new_string holds half of a character (a lone surrogate), which no file can store.',
      'zh-CN': 'new_string 含有半个字符（单独的代理项），文件无法保存。',
    });
  return undefined;
}

function findAll(view: FileView, search: string, budget: Budget): FuzzyMatch[] {
  const exact = findExact(view, search);
  if (exact.length > 0) return toMatches(view, 'exact', exact);
  if (isTooLargeToFold(search)) return [];
  const folded = locateFolded(view, search, budget).locations;
  const locations = folded.length > 0 ? folded : locateSimilar(view, search, budget);
  return locations.length > 0 ? toMatches(view, locations[0]!.strategy, locations) : [];
}

function toMatches(view: FileView, strategy: PatchStrategy, places: readonly { start: number; end: number }[]): FuzzyMatch[] {
  return disjoint(places).map(({ start, end }) => ({
    strategy,
    startIndex: start,
    endIndex: end,
    matchedText: view.content.slice(start, end),
  }));
}
