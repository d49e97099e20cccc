import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ResultPage } from '../../api/rest_types';
import { formatCount } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { saveFile } from '../../platform/save_file';
import { Icon } from '../basic/icon';
import { PAGE_UNITS, type ReadResult, readerOf, readWhole, splitAtMatches } from './read_result';
import { asOnTerminal, hasColours, indentedJson, withoutColours } from './result_text';
import { type ResultPages, useResultPages } from './use_result_pages';
import { wholeResultTexts } from './whole_result_texts';

interface WholeResultProps {
  first: ResultPage;
  /** The result is the output of a command. */
  isTerminal: boolean;
  /** Name of the tool, for the downloaded file. */
  name: string;
  /** Rejects like the request. */
  onRead: ReadResult;
}

/** Shows the whole result of a call in pages, finds words in all of it, and saves it as a file. */
export function WholeResult({ first, isTerminal, name, onRead }: WholeResultProps) {
  const texts = wholeResultTexts[useLocale()];
  const messages = useMessages();
  // JSON that fits on one page is laid out, and searched as people see it.
  const [json] = useState(() => (first.nextOffset === undefined ? indentedJson(first.text) : undefined));
  const read = useRef(json === undefined ? onRead : readerOf(json)).current;
  const pages = useResultPages(json === undefined ? first : { ...first, text: json, length: json.length }, read);
  return (
    <div class="tool-part" data-testid="whole-result">
      <div class="result-head">
        <p class="part-title">{texts.title}</p>
        <Search pages={pages} />
        <Download name={name} onRead={onRead} />
      </div>
      <PageText pages={pages} isTerminal={isTerminal} />
      <Turning pages={pages} />
      {!first.complete && <p class="result-more">{texts.incomplete}</p>}
      {pages.hasFailed && (
        <p class="form-error" role="alert">
          {messages.requestFailed}
        </p>
      )}
    </div>
  );
}

function Search({ pages: { words, found, search, step } }: { pages: ResultPages }) {
  const locale = useLocale();
  const texts = wholeResultTexts[locale];
  const count = (number: number) => formatCount(number, locale);
  return (
    <>
      <input
        type="search"
        class="result-search"
        value={words}
        maxLength={200}
        placeholder={texts.search}
        aria-label={texts.search}
        data-testid="result-search"
        onInput={event => search(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      <span role="status" data-testid="result-matches">
        {found && (found.count === 0 ? texts.noMatch : texts.match(count(found.current + 1), count(found.count)))}
      </span>
      {found && found.count > 1 && (
        <>
          <IconButton id="match-before" label={texts.matchBefore} isUp onPress={() => step(-1)} />
          <IconButton id="match-next" label={texts.matchNext} onPress={() => step(1)} />
        </>
      )}
    </>
  );
}

interface IconButtonProps {
  id: string;
  label: string;
  isUp?: boolean;
  onPress: () => void;
}

function IconButton({ id, label, isUp, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      class={isUp ? 'icon-button small up' : 'icon-button small'}
      aria-label={label}
      title={label}
      data-testid={id}
      onClick={onPress}
    >
      <Icon name="down" />
    </button>
  );
}

function Download({ name, onRead }: { name: string; onRead: ReadResult }) {
  const texts = wholeResultTexts[useLocale()];
  const messages = useMessages();
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const save = async () => {
    setState('loading');
    try {
      saveFile(`${name}.txt`, await readWhole(onRead), 'text/plain');
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button
        type="button"
        class="link-button"
        aria-disabled={state === 'loading'}
        data-testid="download-result"
        onClick={() => {
          if (state !== 'loading') void save();
        }}
      >
        {texts.download}
      </button>
      {state === 'failed' && <span role="alert">{messages.requestFailed}</span>}
    </>
  );
}

/** Shows the text of the page with its matches marked, and the chosen match in view. */
function PageText({ pages: { page, found }, isTerminal }: { pages: ResultPages; isTerminal: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const chosen = found?.offsets[found.current];
  const parts = splitAtMatches(page, found?.offsets ?? [], found?.words.length ?? 0);
  const isPlain = !isTerminal && !hasColours(page.text);
  useLayoutEffect(() => {
    const { current } = box;
    const mark = current?.querySelector<HTMLElement>('mark.current');
    if (current) current.scrollTop = mark ? mark.offsetTop - current.clientHeight / 2 : 0;
  }, [page, chosen]);
  let at = page.offset;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre class={isTerminal ? 'output terminal whole' : 'output whole'} ref={box} tabIndex={0} data-testid="tool-result">
      {parts.map((part, index) => {
        const isChosen = at === chosen;
        at += part.length;
        const shown = isPlain ? part : withoutColours(asOnTerminal(part));
        return index % 2 === 0 ? (
          shown
        ) : (
          <mark key={index} class={isChosen ? 'current' : undefined}>
            {shown}
          </mark>
        );
      })}
    </pre>
  );
}

/** Leads to the page before and to the next page. */
function Turning({ pages: { page, turnTo } }: { pages: ResultPages }) {
  const locale = useLocale();
  const texts = wholeResultTexts[locale];
  const { offset, nextOffset, length, text } = page;
  const count = (number: number) => formatCount(number, locale);
  return (
    <p class="result-more result-pages">
      <span role="status" data-testid="result-place">
        {texts.place(count(Math.min(offset + 1, length)), count(offset + text.length), count(length))}
      </span>
      {(offset > 0 || nextOffset !== undefined) && (
        <>
          <button
            type="button"
            class="link-button"
            disabled={offset === 0}
            data-testid="page-before"
            onClick={() => turnTo(Math.max(0, offset - PAGE_UNITS))}
          >
            {texts.before}
          </button>
          <button
            type="button"
            class="link-button"
            disabled={nextOffset === undefined}
            data-testid="page-next"
            onClick={() => turnTo(nextOffset ?? offset)}
          >
            {texts.next}
          </button>
        </>
      )}
    </p>
  );
}
