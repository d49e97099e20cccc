import { useLocale } from '../../i18n/language_context';
import { type OpsTexts, opsTexts } from './ops_texts';

/** Names a door in words; a door of a newer gateway by its own name. */
export function useDoorName(): (door: string) => string {
  const doors: Readonly<Record<string, string>> = useOpsTexts().doors;
  return door => doors[door] ?? door;
}

export function useOpsTexts(): OpsTexts {
  return opsTexts[useLocale()];
}
