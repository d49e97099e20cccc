import type { PatchRefusal, PatchRefusalCode, PatchStrategy } from '../../../port/patch_engine';
import type { Bilingual } from '../../../utils/bilingual';
import type { Budget } from '../budget';
import type { FileView } from '../locate/file_view';
import { nearestPlaces } from './nearest_places';

const LISTED_LINES = 10;

/** Builds a refusal. `text` is a message for the model: what is wrong and, once, what to do next. */
export function refuse(code: PatchRefusalCode, text: Bilingual, hints: readonly Bilingual[] = []): PatchRefusal {
  const listed = hints.length > 0 && { hints: hints.map(hint => hint.en), hintsZh: hints.map(hint => hint['zh-CN']) };
  return { ok: false, code, error: text.en, errorZh: text['zh-CN'], ...listed };
}

/** Refuses with the number of matches (at least `limit` when the search stopped there) and their first line numbers. */
export function refuseAmbiguous(
  view: FileView,
  { strategy, limit }: { strategy: PatchStrategy; limit: number },
  places: readonly { start: number }[],
): PatchRefusal {
  const isMore = places.length >= limit;
  const lines = places.slice(0, LISTED_LINES).map(place => view.lineNumber(place.start));
  const listed = lines.join(', ') + (places.length > LISTED_LINES ? ', ...' : '');
  return refuse('ambiguous', {
    en: `old_string matches ${isMore ? `at least ${limit}` : places.length} places (${strategy}), beginning on lines ${listed}. Add lines around the change until only one place fits, or set replace_all to change them all.`,
    'zh-CN': `old_string ${isMore ? `至少匹配 ${limit}` : `匹配 ${places.length}`} 处（${strategy}），起始行号：${listed}。请加入改动前后的行，直到只有一处符合；或设 replace_all，修改所有位置。`,
  });
}

/** Refuses with hints about the most similar places, if there are any. */
export function refuseNoMatch(view: FileView, old: string, budget: Budget): PatchRefusal {
  const hints = nearestPlaces(view, old, budget);
  const next =
    hints.length > 0
      ? { en: 'Compare with the nearest places and quote the file exactly.', 'zh-CN': '请与最接近的位置比较，并准确引用文件内容。' }
      : {
          en: 'Read the file again and quote it exactly; it may be another file.',
          'zh-CN': '请重新读取文件并准确引用；也可能不是这个文件。',
        };
  const text = { en: `old_string was not found in the file. ${next.en}`, 'zh-CN': `文件中没有找到 old_string。${next['zh-CN']}` };
  return refuse('no_match', text, hints);
}
