import './mcp_app.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { isObject } from '../../components/calls/approval_arguments';
import { useLocale } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import type { AppCall } from '../../state/app_call';
import type { ToolItem } from '../../state/view_types';
import { handleAppMessage } from './app_bridge';
import { appTexts } from './app_texts';

interface McpAppProps {
  item: ToolItem;
  app: AppCall;
  /** Puts a message into the message field. Returns false when the field has a text already. */
  onPropose: (text: string) => boolean;
}

/** Shows the app of a call. Reads its page from the gateway when it is first shown. */
export function McpApp({ item, app, onPropose }: McpAppProps) {
  const texts = appTexts[useLocale()];
  const [html, setHtml] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { server, uri } = app;
  useEffect(() => {
    let isCurrent = true;
    callRest<{ html: string }>('GET', `/mcp-servers/${encodeURIComponent(server)}/app?uri=${encodeURIComponent(uri)}`).then(
      answer => isCurrent && setHtml(answer.html),
      (thrown: unknown) => isCurrent && setProblem(thrown instanceof Error ? thrown.message : ''),
    );
    return () => {
      isCurrent = false;
    };
  }, [server, uri]);
  if (problem !== undefined) return <p class="session-note" data-testid="mcp-app-problem">{`${texts.failed} ${problem}`}</p>;
  return html === undefined ? null : <AppFrame item={item} app={app} html={html} onPropose={onPropose} />;
}

interface Link {
  url: string;
  answer: (isOpened: boolean) => void;
}

/** Runs the page in a frame without any rights on this page: an origin of its own, and no network (public/artifact.html, page_policy.ts). */
function AppFrame({ item, app, html, onPropose }: McpAppProps & { html: string }) {
  const locale = useLocale();
  const texts = appTexts[locale];
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();
  const [link, setLink] = useState<Link>();
  const pending = useRef<Link>();
  const settle = (isOpened: boolean) => {
    pending.current?.answer(isOpened);
    pending.current = undefined;
    setLink(undefined);
  };
  /** A second link is refused while the person is asked about the first. */
  const openLink = (url: string) =>
    new Promise<boolean>(answer => {
      if (pending.current) return answer(false);
      pending.current = { url, answer };
      setLink(pending.current);
    });
  useEffect(() => {
    // The frame has no origin that could be named.
    const post = (message: object) => frame.current?.contentWindow?.postMessage(message, '*');
    const input = isObject(item.args) ? item.args : {};
    const result = app.result ?? { content: [{ type: 'text', text: item.result ?? '' }] };
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (!frame.current || source !== frame.current.contentWindow) return;
      if (isObject(data) && data['type'] === 'ready') return post({ source: html });
      const context = { theme: themeOfPage(), locale };
      void handleAppMessage(data, { input, result, context, post, onResize: setHeight, openLink, proposeMessage: onPropose });
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [html, item, locale]);
  return (
    <>
      <iframe
        ref={frame}
        class="mcp-app"
        sandbox="allow-scripts"
        src={`${ROOT}artifact.html`}
        title={texts.title(app.server)}
        style={height === undefined ? undefined : { height: `${height}px` }}
        data-testid="mcp-app"
      />
      {link && (
        <ConfirmDialog
          title={texts.linkTitle}
          text={texts.linkText(app.server, link.url)}
          action={texts.openLink}
          onConfirm={() => {
            open(link.url, '_blank', 'noopener,noreferrer');
            settle(true);
          }}
          onCancel={() => settle(false)}
        />
      )}
    </>
  );
}

function themeOfPage(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
