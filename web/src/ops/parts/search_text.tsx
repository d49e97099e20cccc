import { useEffect, useState } from 'preact/hooks';
import { SearchField } from '../../components/list/search_field';
import { useOps, useOpsQuery } from '../shared/ops_controller';

/** Pause in typing before the search begins, in milliseconds. */
const TYPING_PAUSE_MS = 250;

interface SearchTextProps {
  label: string;
  /** Limit in characters. */
  maxLength: number;
  testId: string;
}

/** A search that the address keeps as `q`. */
export function SearchText({ label, maxLength, testId }: SearchTextProps) {
  const ops = useOps();
  const searched = useOpsQuery('q');
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [searched]);
  useEffect(() => {
    if (text.trim() === searched) return;
    const timer = setTimeout(() => ops.setQuery({ q: text.trim() }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchField text={text} onText={setText} label={label} maxLength={maxLength} testId={testId} />;
}
