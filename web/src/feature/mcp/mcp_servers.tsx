import { useEffect, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { MoreButton } from '../../components/list/more_button';
import { type PagedList, usePagedList } from '../../components/list/use_paged_list';
import { formatDuration } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { listServers, type McpServer, reconnect } from './mcp_api';
import { mcpTexts } from './mcp_texts';
import './mcp.css';

/** Limits of the pause before servers that connect are read again, in milliseconds. */
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

/** The page that shows short notices. */
interface NoticeHost {
  notify(text: string): void;
}

interface McpServersProps {
  controller: NoticeHost;
  /** Called when the tools of a server may have changed. */
  onChange: () => void;
}

/** Lists the MCP servers with their state; nothing when there are none. */
export function McpServers({ controller, onChange }: McpServersProps) {
  const messages = useMessages();
  const texts = mcpTexts[useLocale()];
  const list = usePagedList('servers', listServers);
  useUpdates(list, onChange);
  if (list.rows.length === 0 && list.status !== 'failed') return null;
  return (
    <section class="mcp-servers" aria-labelledby="mcp-heading" data-testid="mcp-servers">
      <h2 id="mcp-heading">{texts.servers}</h2>
      {list.status === 'failed' && <p class="tool-reason">{messages.requestFailed}</p>}
      <ul class="view-rows">
        {list.rows.map(server => (
          <ServerRow
            key={server.name}
            server={server}
            controller={controller}
            onReconnect={next => {
              list.change(rows => rows.map(row => (row.name === next.name ? next : row)));
              onChange();
            }}
          />
        ))}
      </ul>
      <MoreButton list={list} text={texts.moreServers} onFailure={() => controller.notify(messages.requestFailed)} />
    </section>
  );
}

/** Reads the servers again while one of them connects or waits for its next try. */
function useUpdates(list: PagedList<McpServer>, onChange: () => void): void {
  const pauses = list.rows.flatMap(({ state, nextTryMs }) => (state === 'connecting' ? [0] : (nextTryMs ?? [])));
  useEffect(() => {
    if (pauses.length === 0) return;
    const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, Math.min(...pauses)));
    const timer = setTimeout(() => void list.refresh().then(rows => rows && onChange()), pause);
    return () => clearTimeout(timer);
  }, [list.rows]);
}

interface ServerRowProps {
  server: McpServer;
  controller: NoticeHost;
  onReconnect: (next: McpServer) => void;
}

function ServerRow({ server, controller, onReconnect }: ServerRowProps) {
  const messages = useMessages();
  const locale = useLocale();
  const texts = mcpTexts[locale];
  const canReconnect = useScope('ops:write');
  const [isSending, setSending] = useState(false);
  const { name, error, problems, nextTryMs } = server;
  const state = isSending ? 'connecting' : server.state;
  const connect = async () => {
    setSending(true);
    try {
      onReconnect(await reconnect(name));
    } catch (thrown) {
      controller.notify(refusalOf(thrown) ?? messages.requestFailed);
    } finally {
      setSending(false);
    }
  };
  return (
    <li class="view-row" data-testid="mcp-server" data-name={name} data-state={state}>
      <div class="row-main">
        <p class="server-name">
          <strong>{name}</strong>
        </p>
        <p class="row-facts" role="status">
          <span class={state === 'failed' ? 'tag warn' : 'tag'}>{texts.serverState[state]}</span>
          <span>{server.transport}</span>
          <span>{texts.toolCount(server.tools.length)}</span>
          {nextTryMs !== undefined && !isSending && <span>{texts.nextTry(formatDuration(nextTryMs, locale))}</span>}
        </p>
        {[...new Set([error, ...problems].filter(text => text !== undefined && text !== ''))].map(text => (
          <p key={text} class="tool-reason" data-testid="server-problem">
            {text}
          </p>
        ))}
      </div>
      {server.enabled && canReconnect && (
        <button
          type="button"
          class="button"
          aria-disabled={isSending}
          aria-label={`${texts.reconnect}: ${name}`}
          data-testid="reconnect"
          onClick={() => !isSending && void connect()}
        >
          {texts.reconnect}
        </button>
      )}
    </li>
  );
}
