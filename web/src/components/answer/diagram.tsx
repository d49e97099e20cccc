import drawer from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { answerTexts } from './answer_texts';

/** Sent by public/diagram.html. */
type FrameMessage = { type: 'ready' } | { type: 'drawn'; height: number } | { type: 'failed' };

const MAX_HEIGHT = 900;

/**
 * Draws a mermaid diagram in a frame without any rights on this page: the frame has an origin of its own, reaches no network and may style
 * itself, which this page may not (public/diagram.html, request_guard.ts).
 */
export function Diagram({ source }: { source: string }) {
  const texts = answerTexts[useLocale()];
  const frame = useRef<HTMLIFrameElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const draw = async (target: Window) => {
      const program = await (await fetch(drawer)).text();
      // The frame has no origin that could be named.
      target.postMessage({ source, program, isDark: isDark() }, '*');
    };
    const onMessage = ({ source: sender, data }: MessageEvent<FrameMessage>) => {
      const element = frame.current;
      if (!element?.contentWindow || sender !== element.contentWindow) return;
      if (data.type === 'ready') draw(element.contentWindow).catch(() => setFailed(true));
      else if (data.type === 'failed') setFailed(true);
      else if (data.type === 'drawn') element.style.height = `${Math.min(MAX_HEIGHT, Math.max(40, Number(data.height) || 0))}px`;
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [source]);
  if (hasFailed) {
    return (
      <p class="session-note diagram-note" role="alert">
        {texts.diagramFailed}
      </p>
    );
  }
  return (
    <iframe ref={frame} class="diagram" sandbox="allow-scripts" src={`${ROOT}diagram.html`} title={texts.diagram} data-testid="diagram" />
  );
}

function isDark(): boolean {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'dark' || (theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches);
}
