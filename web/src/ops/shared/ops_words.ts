import { useLocale } from '../../i18n/language_context';
import { type OpsTexts, opsTexts } from './ops_texts';

export function useOpsTexts(): OpsTexts {
  return opsTexts[useLocale()];
}
