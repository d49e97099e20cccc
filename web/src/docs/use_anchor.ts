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

const readAnchor = (): string => decodeURIComponent(location.hash.slice(1));
