import { useEffect, useState } from 'preact/hooks';

/** The part of the page that the address names. The page is drawn after the address was read, so it also scrolls there itself. */
export function useAnchor(): string {
  const [anchor, setAnchor] = useState(readAnchor);
  useEffect(() => {
    document.getElementById(readAnchor())?.scrollIntoView();
    const onChange = () => setAnchor(readAnchor());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return anchor;
}

const readAnchor = (): string => location.hash.slice(1);
