import type { PatchRefusal, PatchStrategy } from '../../port/patch_engine';
import type { Bilingual } from '../../utils/bilingual';
import { computeEditScript, type EditScript } from './align/edit_script';
import type { Budget } from './budget';
import { isAbsent, resemblesNeighbour, withoutEdgeLine } from './locate/edge_lines';
import { COUNT_LIMIT, type ExactMatch, findExact, toExactLocations } from './locate/exact';
import { FileView, toLineFeeds } from './locate/file_view';
import { isTooLargeToFold, type Located, locateFolded, locateSimilar } from './locate/locate';
import { type Location, WHITE_SPACE_LEVELS } from './location';
import { findApplied, isAppliedAt, isAppliedVerbatim } from './refuse/already_applied';
import { findConflict } from './refuse/conflict';
import { findLostEscape } from './refuse/lost_escapes';
import { refuse, refuseAmbiguous, refuseNoMatch } from './refuse/refusals';
import { findUnknownDepth } from './refuse/unknown_depth';
import { type TokenText, tokenize } from './tokens';
import type { PatchOptions, PatchResult } from './types';
import { prepareExactEdit } from './write/exact_edit';
import { mergeRegion } from './write/merge';
import { tailOf } from './write/region_end';
import { describeDifferences } from './write/warnings';

/**
 * A call of applyPatch passes through four rooms:
 * 1. locate/ finds the places that match old_string at the first of nine levels, and aligns their tokens with it;
 * 2. align/ computes the edit script from old_string to new_string;
 * 3. refuse/ looks for a reason not to write: an edit that is already applied, a conflict, lost escapes;
 * 4. write/ merges the edit script into the file's text and describes how the quotation differed.
 *
 * In names and comments `old` is old_string, `next` (or "new") is new_string and `file` is the content.
 */

/** Replaces [start, end) of the original content. */
interface Replacement {
  start: number;
  end: number;
  text: string;
}

interface Prepared {
  text: string;
  next: TokenText;
  script: EditScript;
}

/** Without replace_all, the search of levels 2 to 7 stops at this many matches. */
const LOOSE_COUNT_LIMIT = 1000;
/** The results of more overlapping matches than this are not compared. */
const MAX_OVERLAPPING = 20;

/** One call of applyPatch with valid arguments. Both texts are converted to line feeds. */
export class PatchAttempt {
  private readonly view: FileView;
  private readonly old: string;
  private readonly next: string;
  private readonly prepared = new Map<TokenText, Prepared>();

  constructor(
    content: string,
    texts: { old: string; next: string },
    private readonly options: PatchOptions,
    private readonly budget: Budget,
  ) {
    this.view = new FileView(content);
    this.old = toLineFeeds(texts.old);
    this.next = toLineFeeds(texts.next);
  }

  run(): PatchResult {
    const exact = findExact(this.view, this.old, this.options.replaceAll ? undefined : COUNT_LIMIT);
    if (exact.length > 0) return this.applyExact(exact);
    if (isTooLargeToFold(this.old) || isTooLargeToFold(this.next)) {
      return refuse('too_large', {
        en: 'old_string is not in the file exactly as given, and it is too long to be matched loosely. Quote a few lines around the change.',
        'zh-CN': '文件中没有与 old_string 完全相同的文本，而它太长，无法宽松匹配。请只引用改动前后的几行。',
      });
    }
    const located = locateFolded(this.view, this.old, this.budget, {
      newString: this.next,
      limit: this.options.replaceAll ? undefined : LOOSE_COUNT_LIMIT,
    });
    if (located.locations.length > 0) return this.applyFolded(located);
    return this.applySimilar();
  }

  private applyExact(matches: ExactMatch[]): PatchResult {
    if (!this.options.replaceAll && matches.length > 1) {
      const [write] = this.writeOverlapping(matches);
      if (write) return this.finish('exact', [write]);
      return refuseAmbiguous(this.view, { strategy: 'exact', limit: COUNT_LIMIT }, matches);
    }
    const chosen = disjoint(matches);
    if (isAppliedAt(this.view, { old: this.old, next: this.next }, chosen)) return this.refuseApplied();
    return this.finish('exact', this.writeExact(chosen));
  }

  /** Returns one write when all matches overlap and replacing any of them gives the same file; else none. */
  private writeOverlapping(matches: readonly ExactMatch[]): Replacement[] {
    if (matches.length > MAX_OVERLAPPING || matches.some((match, i) => i > 0 && match.start >= matches[i - 1]!.end)) return [];
    const writes = this.writeExact(matches);
    const { content } = this.view;
    const from = writes[0]!.start;
    const to = Math.max(...writes.map(write => write.end));
    const results = writes.map(write => content.slice(from, write.start) + write.text + content.slice(write.end, to));
    return results.every(result => result === results[0]) ? writes.slice(0, 1) : [];
  }

  /** Writes new_string as given. In a CRLF file, text with line ends is merged line by line so that it gets CRLF. */
  private writeExact(matches: readonly ExactMatch[]): Replacement[] {
    const edits = matches.map(match => prepareExactEdit(this.view, match, this.old, this.next));
    const plain = !this.view.lineFeedText().hasReturns || !edits.some(edit => edit.text.includes('\n'));
    if (plain) return edits.map(edit => ({ ...edit.match, text: edit.text }));
    const locations = toExactLocations(
      this.view,
      this.old,
      edits.map(edit => edit.match),
      this.budget,
    );
    return locations.map((location, index) => this.mergeAt(location, edits[index]!.text));
  }

  private applyFolded(located: Located): PatchResult {
    const undo = (text: string): string => located.transformation?.undo(text) ?? text;
    const next = undo(this.next);
    const chosen = this.choose(located.locations);
    if ('code' in chosen) return chosen;
    if (isAppliedAt(this.view, { old: undo(this.old), next }, chosen)) return this.refuseApplied();
    if (!this.options.replaceAll && isAppliedVerbatim(this.view, { old: undo(this.old), next })) return this.refuseApplied();
    const lost = this.findLostEscapes(chosen, next);
    if (lost) return lost;
    const unknown = this.findUnknownDepth(chosen, next);
    if (unknown) return unknown;
    const [first] = chosen;
    const warnings = first ? describeDifferences(first, located.transformation) : [];
    return this.finish(
      located.locations[0]!.strategy,
      chosen.map(location => this.mergeAt(location, next)),
      warnings,
    );
  }

  /** Refuses when old_string matched without its escapes and new_string may have lost escapes too. */
  private findLostEscapes(chosen: readonly Location[], next: string): PatchRefusal | undefined {
    for (const location of chosen) {
      if (!location.escapesAreSpace) continue;
      const lost = findLostEscape({ view: this.view, location, ...this.prepare(location, next) });
      if (lost !== undefined)
        return refuse('conflict', {
          en: `old_string lacks escapes that the file has, so new_string may lack some too: ${lost}. Quote the file exactly, backslashes included.`,
          'zh-CN': `old_string 缺少文件中的转义，因此 new_string 可能也缺少：${lost}。请准确引用文件内容，包括反斜杠。`,
        });
    }
    return undefined;
  }

  /** Refuses an edit that adds a line at a depth that nothing tells. */
  private findUnknownDepth(chosen: readonly Location[], next: string): PatchRefusal | undefined {
    for (const location of chosen) {
      const line = findUnknownDepth({ view: this.view, location, ...this.prepare(location, next) });
      if (line !== undefined)
        return refuse('conflict', {
          en: `old_string and new_string have no indentation, but the file has, and the depth of this added line is not known: ${line.trim()}. Send both with the indentation of the file.`,
          'zh-CN': `old_string 和 new_string 没有缩进，而文件有，因此无法得知这一新增行的深度：${line.trim()}。请按文件的缩进发送两者。`,
        });
    }
    return undefined;
  }

  private applySimilar(): PatchResult {
    const applied = findApplied(this.view, { old: this.old, next: this.next });
    if (applied === 'certain') return this.refuseApplied();
    const locations = this.options.replaceAll ? [] : locateSimilar(this.view, this.old, this.budget);
    const [location, rival] = locations;
    if (location && !rival) {
      const result = this.writeSimilar(location);
      if (result.ok || applied === 'no') return result;
    }
    if (applied === 'likely') return this.refuseApplied();
    const shortened = location || this.options.replaceAll ? undefined : this.applyWithoutEdgeLine();
    if (shortened) return shortened;
    if (rival) return refuseAmbiguous(this.view, { strategy: locations[0]!.strategy, limit: LOOSE_COUNT_LIMIT }, locations);
    return refuseNoMatch(this.view, this.old, this.budget);
  }

  /** Tries the edit without the first or the last quoted line, when the file lacks only that line and the edit keeps it. */
  private applyWithoutEdgeLine(): PatchResult | undefined {
    for (const { old, next, line, side } of withoutEdgeLine(this.old, this.next)) {
      if (!isAbsent(this.view, line)) continue;
      const exact = findExact(this.view, old, 2);
      const folded = exact.length === 0 ? locateFolded(this.view, old, this.budget, { newString: next, limit: 2 }) : undefined;
      const places = folded?.locations ?? exact;
      const [place] = places;
      if (
        !place ||
        places.length > 1 ||
        resemblesNeighbour(this.view, line, side === 'first' ? { before: place.start } : { after: place.end })
      )
        continue;
      const attempt = new PatchAttempt(this.view.content, { old, next }, {}, this.budget);
      const result = folded ? attempt.applyFolded(folded) : attempt.applyExact(exact);
      if (!result.ok) return result;
      const absent = JSON.stringify(line.trim());
      const warnings = [
        `The file does not have the ${side} line of old_string there; the file's own line was kept: ${absent}`,
        ...(result.warnings ?? []),
      ];
      const warningsZh = [
        `文件在该处没有 old_string 的${side === 'first' ? '首行' : '末行'}；保留了文件自己的行：${absent}`,
        ...(result.warningsZh ?? []),
      ];
      return { ...result, strategy: 'context_aware', warnings, warningsZh };
    }
    return undefined;
  }

  private writeSimilar(location: Location): PatchResult {
    const conflict = findConflict({ view: this.view, location, ...this.prepare(location, this.next) });
    if (conflict) return refuse('conflict', conflict);
    const unknown = this.findUnknownDepth([location], this.next);
    if (unknown) return unknown;
    return this.finish(location.strategy, [this.mergeAt(location, this.next)], describeDifferences(location));
  }

  /** Returns all places for replace_all, else the only one. At white-space levels identical indentation breaks a tie. */
  private choose(locations: Location[]): Location[] | PatchRefusal {
    if (this.options.replaceAll) return disjoint(locations);
    if (locations.length === 1) return locations;
    const strategy = locations[0]!.strategy;
    const sameIndentation = WHITE_SPACE_LEVELS.has(strategy) ? locations.filter(location => location.sameIndentation) : [];
    return sameIndentation.length === 1 ? sameIndentation : refuseAmbiguous(this.view, { strategy, limit: LOOSE_COUNT_LIMIT }, locations);
  }

  private mergeAt(location: Location, next: string): Replacement {
    const { start, end } = location;
    if (next === '' && this.view.isLineStart(start) && this.view.isLineEnd(end) && end > start) {
      return { start, end: end + (this.view.isLineStart(end) ? 0 : this.view.lineEndLength(end)), text: '' };
    }
    if (next === '') return { start, end, text: location.strategy === 'exact' || !this.view.isLineStart(start) ? '' : tailOf(location) };
    return { start, end, text: mergeRegion({ view: this.view, location, ...this.prepare(location, next) }) };
  }

  /** Computes the edit script once for all places that share old and new. */
  private prepare(location: Location, text: string): Prepared {
    const known = this.prepared.get(location.old);
    if (known?.text === text) return known;
    const next = tokenize(text, 0, text.length, { escapesAreSpace: location.escapesAreSpace === true });
    const prepared = { text, next, script: computeEditScript(location.old, next, this.budget) };
    this.prepared.set(location.old, prepared);
    return prepared;
  }

  private finish(strategy: PatchStrategy, writes: Replacement[], notes: Bilingual[] = []): PatchResult {
    const { content } = this.view;
    const parts: string[] = [];
    let position = 0;
    for (const write of writes) {
      write.start = Math.max(write.start, position);
      parts.push(content.slice(position, write.start), write.text);
      position = write.end;
    }
    parts.push(content.slice(position));
    const result = parts.join('');
    if (result === content) {
      return strategy === 'exact'
        ? refuse('no_change', {
            en: 'The edit would leave the file as it is; nothing was written.',
            'zh-CN': '修改后文件不会有任何变化；未写入任何内容。',
          })
        : this.refuseApplied();
    }
    const spans = writes.map(({ start, end }): [number, number] => [start, end]);
    const warnings = notes.length > 0 && { warnings: notes.map(note => note.en), warningsZh: notes.map(note => note['zh-CN']) };
    return { ok: true, content: result, strategy, count: writes.length, spans, ...warnings };
  }

  private refuseApplied(): PatchRefusal {
    return refuse('already_applied', {
      en: 'The file already holds new_string where old_string would be; this edit is done. Do not repeat it.',
      'zh-CN': '文件中 old_string 所在之处已是 new_string；此修改已完成，请勿重复。',
    });
  }
}

/** Drops places that overlap an earlier one. `places` must be ordered by start. */
export function disjoint<T extends { start: number; end: number }>(places: readonly T[]): T[] {
  const kept: T[] = [];
  for (const place of places) {
    const previous = kept.at(-1);
    if (!previous || place.start >= previous.end) kept.push(place);
  }
  return kept;
}
