import { useEffect, useState } from 'preact/hooks';

/** The part of the page that the address names, without `#`. */
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
