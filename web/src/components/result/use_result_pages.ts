import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResultPage } from '../../api/rest_types';
import { PAGE_UNITS, type ReadResult } from './read_result';

/** Pause after the last key before the gateway searches. Milliseconds. */
const PAUSE_MS = 250;

interface Found {
  words: string;
  count: number;
  offsets: readonly number[];
  /** Index of the shown match. */
  current: number;
}

export interface ResultPages {
  page: ResultPage;
  words: string;
  found: Found | undefined;
  hasFailed: boolean;
  search(words: string): void;
  /** Shows the match that is `by` further, and begins again behind the last one. */
  step(by: 1 | -1): void;
  turnTo(offset: number): void;
}

/** Keeps the shown page of a result, and the matches of the words in it. */
export function useResultPages(first: ResultPage, read: ReadResult): ResultPages {
  const [page, setPage] = useState(first);
  const [words, setWords] = useState('');
  const [found, setFound] = useState<Found>();
  const [hasFailed, setFailed] = useState(false);
  // An answer that a later request has overtaken is dropped.
  const latest = useRef(0);

  const load = async (query: { offset: number; q?: string }, use: (answer: ResultPage) => void) => {
    const number = ++latest.current;
    setFailed(false);
    try {
      const answer = await read({ limit: PAGE_UNITS, ...query });
      if (number === latest.current) use(answer);
    } catch {
      if (number === latest.current) setFailed(true);
    }
  };
  const turnTo = (offset: number) => void load({ offset }, setPage);
  const show = (next: Found, shown: ResultPage) => {
    setFound(next);
    const offset = next.offsets[next.current];
    if (offset === undefined || isOn(shown, offset)) setPage(shown);
    else turnTo(offset - (offset % PAGE_UNITS));
  };

  useEffect(() => {
    if (words === '') {
      latest.current++;
      return setFound(undefined);
    }
    const timer = setTimeout(() => {
      void load({ offset: page.offset, q: words }, answer => {
        const { count = 0, offsets = [] } = answer.matches ?? {};
        const here = offsets.findIndex(offset => offset >= page.offset);
        show({ words, count, offsets, current: Math.max(0, here) }, answer);
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);

  return {
    page,
    words,
    found,
    hasFailed,
    search: setWords,
    step: by => {
      if (!found || found.offsets.length === 0) return;
      const { length } = found.offsets;
      show({ ...found, current: (found.current + by + length) % length }, page);
    },
    turnTo,
  };
}

const isOn = ({ offset, text }: ResultPage, place: number): boolean => place >= offset && place < offset + text.length;
