import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { SearchField } from '../../views/search_field';
import { useOps, usePlace } from '../ops_controller';
import { FilterSelect } from '../parts/filters';
import { MessageHits } from './message_hits';
import { SessionTable } from './session_table';
import { sessionScreenTexts } from './session_texts';

/** Characters of a search. */
const MAX_QUERY = 200;
/** Pause in typing before the search begins, in milliseconds. */
const TYPING_PAUSE_MS = 250;

/** Finds sessions by title, or by what was said in them. */
export function SessionsScreen() {
  const texts = sessionScreenTexts[useLocale()];
  const ops = useOps();
  const { query } = usePlace();
  const searched = query['q'] ?? '';
  const [text, setText] = useState(searched);
  useEffect(() => {
    if (text.trim() === searched) return;
    const timer = setTimeout(() => ops.setQuery({ q: text.trim() }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isInMessages = query['in'] === 'messages' && searched !== '';
  return (
    <>
      <div class="toolbar">
        <div class="grow">
          <SearchField text={text} onText={setText} label={texts.search} maxLength={MAX_QUERY} testId="session-search" />
        </div>
        <SearchPlace />
        <FilterSelect name="origin" label={texts.madeBy} options={[{ value: 'openai', text: texts.origin.openai }]} />
      </div>
      {isInMessages ? <MessageHits q={searched} /> : <SessionTable q={searched} origin={query['origin'] ?? ''} />}
    </>
  );
}

function SearchPlace() {
  const texts = sessionScreenTexts[useLocale()];
  const ops = useOps();
  const value = usePlace().query['in'] ?? '';
  return (
    <label class="filter">
      {texts.searchIn}
      <select value={value} data-testid="search-in" onChange={event => ops.setQuery({ in: event.currentTarget.value })}>
        <option value="">{texts.places.titles}</option>
        <option value="messages">{texts.places.messages}</option>
      </select>
    </label>
  );
}
