import type { PatchStrategy } from '../../../port/patch_engine';
import type { Bilingual } from '../../../utils/bilingual';
import type { Transformation } from '../locate/transformations';
import type { Location } from '../location';

const EXPLANATIONS: Readonly<Partial<Record<PatchStrategy, Bilingual>>> = {
  whitespace_normalized: { en: 'white space or line breaks differ', 'zh-CN': '空白或换行不同' },
  indent_flexible: {
    en: 'it begins or ends within a line of the file, and indentation differs',
    'zh-CN': '它的开头或结尾在某一行之内，并且缩进不同',
  },
  escape_normalized: { en: 'it was escaped differently', 'zh-CN': '转义方式不同' },
  trimmed_boundary: { en: 'it has line breaks at its edges that the file does not have', 'zh-CN': '它的首尾有文件中没有的换行' },
  unicode_normalized: { en: 'quotes, dashes or other typographic characters differ', 'zh-CN': '引号、破折号或其他排版字符不同' },
  block_anchor: { en: 'some lines between its first and its last line differ', 'zh-CN': '首行与末行之间有些行不同' },
  context_aware: { en: 'some of its lines differ', 'zh-CN': '有些行不同' },
};
const SHOWN_CHARACTERS = 400;

/** Explains for levels 3 to 9 how old_string differed, and shows what the file has there. */
export function describeDifferences(location: Location, transformation?: Transformation): Bilingual[] {
  const explanation = EXPLANATIONS[location.strategy];
  if (explanation === undefined) return [];
  const text = location.file.source.slice(location.start, location.end);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
  const [by, byZh] = transformation ? [` (${transformation.name.en})`, `（${transformation.name['zh-CN']}）`] : ['', ''];
  return [
    {
      en: `old_string was not found as given: ${explanation.en}${by}. The file has:\n${shown}`,
      'zh-CN': `没有找到与 old_string 完全相同的文本：${explanation['zh-CN']}${byZh}。文件中为：\n${shown}`,
    },
  ];
}
