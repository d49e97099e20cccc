/** The columns of the lists of runs that a person can show or leave out. */
import { useLocale } from '../../i18n/language_context';
import { runsTexts } from './runs_texts';

/** Keys of the columns of both lists, in their order. Those with false are shown on demand. */
const COLUMNS = [
  ['tenant', false],
  ['model', false],
  ['door', true],
  ['key', true],
  ['rounds', true],
  ['tokens', true],
  ['cost', true],
  ['last', true],
] as const;

export function useRunColumns() {
  const texts = runsTexts[useLocale()];
  const names = { ...texts, rounds: texts.rounds, last: texts.lastEvent };
  return COLUMNS.map(([key, isUsual]) => ({ key, isUsual, text: names[key] }));
}
