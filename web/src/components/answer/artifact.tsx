import { useEffect, useRef } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { answerTexts } from './answer_texts';

/**
 * Runs a page or a drawing of an answer in a frame without any rights on this page: the frame has an origin of its own and reaches no network
 * (public/artifact.html, page_policy.ts).
 */
export function Artifact({ language, source }: { language: string; source: string }) {
  const texts = answerTexts[useLocale()];
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const onMessage = ({ source: sender, data }: MessageEvent<{ type: string }>) => {
      const target = frame.current?.contentWindow;
      // The frame has no origin that could be named.
      if (target && sender === target && data.type === 'ready') target.postMessage({ source: toPage(language, source) }, '*');
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [language, source]);
  return (
    <iframe
      ref={frame}
      class="artifact"
      sandbox="allow-scripts"
      src={`${ROOT}artifact.html`}
      title={texts.preview}
      data-testid="artifact"
    />
  );
}

/** A drawing stands in the middle of a page of its own. */
const toPage = (language: string, source: string): string =>
  language === 'svg' ? `<!doctype html><body style="margin:0;min-height:100vh;display:grid;place-items:center">${source}</body>` : source;
