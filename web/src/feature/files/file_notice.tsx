import { ViewSpinner } from '../../components/basic/view_spinner';
import { useLocale } from '../../i18n/language_context';
import { fileTexts } from './file_texts';

export type NoticeName = 'notShown' | 'tooLargeToShow' | 'emptyFile' | 'noFile' | 'notRead';

/** Says why a file is not shown; without a text, it still loads. */
export function FileNotice({ text }: { text: NoticeName | undefined }) {
  const texts = fileTexts[useLocale()];
  if (text === undefined) return <ViewSpinner />;
  return (
    <p class="view-empty" role={text === 'notRead' || text === 'noFile' ? 'alert' : undefined} data-testid="file-notice">
      {texts[text]}
    </p>
  );
}
