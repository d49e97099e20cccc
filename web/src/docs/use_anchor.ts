import { useEffect, useState } from 'preact/hooks';

/** The part of the page that the address names. That part may be drawn only after the browser looked for it, so scroll to it here too. */
export function useAnchor(): string {
  const [anchor, setAnchor] = useState(readAnchor);
  useEffect(() => {
    const onChange = () => setAnchor(readAnchor());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  useEffect(() => document.getElementById(anchor)?.scrollIntoView(), [anchor]);
  return anchor;
}

const readAnchor = (): string => decodeURIComponent(location.hash.slice(1));
