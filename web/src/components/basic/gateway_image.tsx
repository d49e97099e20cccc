import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isReadByBrowser, readImage } from '../../api/image_address';

/** An image of the gateway. The browser asks for it with the login cookie; a page that has a key instead reads the image itself. */
export function GatewayImage({ src, alt, ...attributes }: JSX.IntrinsicElements['img'] & { src: string; alt: string }) {
  return <img {...attributes} alt={alt} src={useReadableAddress(src)} />;
}

/** Returns an address that the browser can show; undefined while the image is being read. */
function useReadableAddress(src: string): string | undefined {
  const [read, setRead] = useState<{ src: string; address: string }>();
  const isReadable = isReadByBrowser(src);
  useEffect(() => {
    if (isReadable) return;
    const reading = new AbortController();
    const { signal } = reading;
    let address = src;
    const load = async () => {
      address = await readImage(src, signal);
    };
    // Without the image, the browser is given its address and says that the image is broken.
    void load()
      .catch(() => undefined)
      .then(() => !signal.aborted && setRead({ src, address }));
    return () => {
      reading.abort();
      URL.revokeObjectURL(address);
    };
  }, [src, isReadable]);
  if (isReadable) return src;
  return read?.src === src ? read.address : undefined;
}
