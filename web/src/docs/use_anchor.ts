import { useEffect, useState } from 'preact/hooks';

/** Returns the anchor in the address of the page, without `#`, and follows its changes. */
export function useAnchor(): string {
  const [anchor, setAnchor] = useState(readAnchor);
  useEffect(() => {
    const onChange = () => setAnchor(readAnchor());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return anchor;
}

/** A malformed anchor, such as `#%`, names no place. */
function readAnchor(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
