import { useState } from 'preact/hooks';
import type { ResultPage } from '../../api/rest_types';
import { formatCount } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ToolItem } from '../../state/view_types';
import { CopyButton } from '../basic/copy_button';
import { useKept } from '../basic/kept_state';
import { PAGE_UNITS, type ReadResult } from './read_result';
import { ResultBox } from './result_box';
import { asOnTerminal, findLines, hasColours, indentedJson, leftOutOf, withoutColours, withoutStatus } from './result_text';
import { WholeResult } from './whole_result';

/** A result with more lines can be searched. */
const MANY_LINES = 20;

interface ResultPartProps {
  item: ToolItem;
  /** The command of the call, which stands before its output. */
  command: string | undefined;
  /** Reads a part of the whole result. Rejects like the request. */
  onReadResult: ReadResult;
}

/** Shows the result of a call and finds lines in it. A long one is shown whole on demand. */
export function ResultPart({ item, command, onReadResult }: ResultPartProps) {
  const messages = useMessages();
  const [first, setFirst] = useKept<ResultPage | undefined>(`whole ${item.id}`, undefined);
  const [words, setWords] = useKept(`words ${item.id}`, '');
  if (first) return <WholeResult first={first} isTerminal={command !== undefined} name={item.name} onRead={onReadResult} />;
  const received = item.result ?? '';
  const output = command === undefined ? received : withoutStatus(received);
  const text = indentedJson(output) ?? output;
  // People copy and search the text that they see, without the escape sequences.
  const isTerminal = command !== undefined || hasColours(output);
  const toPlain = (shown: string) => (isTerminal ? withoutColours(asOnTerminal(shown)) : shown);
  const found = words === '' ? undefined : findLines(toPlain(text), words);
  const isLong = text.split('\n', MANY_LINES + 1).length > MANY_LINES;
  return (
    <div class="tool-part">
      <div class="result-head">
        <p class="part-title">{messages.result}</p>
        {isLong && (
          <input
            type="search"
            class="result-search"
            value={words}
            placeholder={messages.searchResult}
            aria-label={messages.searchResult}
            data-testid="result-search"
            onInput={event => setWords(event.currentTarget.value)}
          />
        )}
        {found && <span role="status">{messages.linesFound(found.length)}</span>}
        <CopyButton text={() => toPlain(output)} label={messages.copyResult} />
      </div>
      <ResultBox
        text={found ? found.map(({ number, line }) => `${number}: ${line}`).join('\n') : text}
        command={found ? undefined : command}
        testId="tool-result"
      />
      <ShowAll result={received} onLoad={async () => setFirst(await onReadResult({ offset: 0, limit: PAGE_UNITS }))} />
    </div>
  );
}

/** Loads the rest of a result that the gateway truncated for display. */
function ShowAll({ result, onLoad }: { result: string; onLoad: () => Promise<void> }) {
  const messages = useMessages();
  const locale = useLocale();
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const missing = leftOutOf(result);
  if (missing === 0) return null;
  const load = async () => {
    setState('loading');
    await onLoad().then(
      () => setState('idle'),
      () => setState('failed'),
    );
  };
  return (
    <p class="result-more">
      <button type="button" class="link-button" data-testid="show-whole-result" disabled={state === 'loading'} onClick={() => void load()}>
        {messages.showWhole(formatCount(missing, locale))}
      </button>
      {state === 'failed' && <span role="alert">{messages.requestFailed}</span>}
    </p>
  );
}
