import type { ComponentChildren } from 'preact';
import { useMessages } from '../../i18n/language_context';
import { appOf } from '../../state/app_call';
import type { ApprovalItem, ToolItem } from '../../state/view_types';
import { DiffView } from '../basic/diff_view';
import { lazy } from '../basic/lazy';
import { isObject } from '../calls/approval_arguments';
import { formatArguments, summarizeCall } from '../calls/tool_summary';
import { ApprovalTaint } from '../questions/approval_outcome';
import { CallArguments } from '../questions/call_arguments';
import type { ReadResult } from '../result/read_result';
import { ResultBox } from '../result/result_box';
import { ResultPart } from '../result/result_part';
import { MessageImages } from './message_images';
import { type Undo, UndoPart } from './undo_part';

const McpApp = lazy(async () => (await import('../../feature/mcp_apps/mcp_app')).McpApp);

interface ToolDetailsProps {
  item: ToolItem;
  approval: ApprovalItem | undefined;
  undo: Undo;
  /** Puts a message that the app of the call proposes into the message field. Returns false when the field has a text already. */
  onPropose: (text: string) => boolean;
  /** Reads a part of the whole result. Rejects like the request. */
  onReadResult: ReadResult;
}

/** Shows the parts of an open tool card: what the call did and with what result. */
export function ToolDetails({ item, approval, undo, onPropose, onReadResult }: ToolDetailsProps) {
  const messages = useMessages();
  const app = appOf(item);
  const diff = textIn(item.details, 'diff');
  const command = item.name === 'bash' || item.name === 'terminal' ? textIn(item.args, 'command') : undefined;
  const showsResult = item.result !== undefined && (!diff || item.state === 'failed');
  return (
    <div class="tool-details">
      {app && <McpApp item={item} app={app} onPropose={onPropose} />}
      <Facts item={item} />
      {approval && <Asked approval={approval} />}
      {diff ? (
        <Part title={messages.changes}>
          <DiffView diff={diff} />
        </Part>
      ) : (
        // The command stands before its output.
        (command === undefined || approval) && <Arguments item={item} isExact={approval !== undefined} />
      )}
      {item.state === 'running' ? (
        <Part title={messages.output}>
          <ResultBox text={item.output || messages.noOutput} command={command} follow />
        </Part>
      ) : (
        showsResult && <ResultPart item={item} command={command} onReadResult={onReadResult} />
      )}
      {item.images && <MessageImages images={item.images} />}
      {item.details?.['undoable'] === true && <UndoPart undo={undo} />}
    </div>
  );
}

/** Names the tool, and says how it found the place of a change or with which code a command failed. */
function Facts({ item: { name, details } }: { item: ToolItem }) {
  const messages = useMessages();
  const strategy = textIn(details, 'strategy');
  const exitCode = details?.['exitCode'];
  return (
    <div class="tool-name">
      <code>{name}</code>
      {strategy && <span class="tag">{messages.strategy(strategy)}</span>}
      {typeof exitCode === 'number' && <span class="tag">{messages.exitCode(exitCode)}</span>}
    </div>
  );
}

/** Says why a person was asked about the call. */
function Asked({ approval: { reason, taint } }: { approval: ApprovalItem }) {
  return (
    <div class="tool-part">
      <p class="approval-reason">{reason}</p>
      {taint && <ApprovalTaint sources={taint} />}
    </div>
  );
}

/** Shows the arguments: of a written file its text, of a job words, otherwise one value or JSON. `isExact`: every argument by its name. */
function Arguments({ item, isExact }: { item: ToolItem; isExact: boolean }) {
  const { name, args } = item;
  const messages = useMessages();
  const content = name === 'write_file' || name === 'file_write' ? textIn(args, 'content') : undefined;
  if (content !== undefined && !isExact) {
    return (
      <Part title={messages.fileContent}>
        <ResultBox text={content} testId="file-content" />
      </Part>
    );
  }
  // The head of the card shows it.
  if (!isExact && name !== 'cron' && formatArguments(args) === summarizeCall(item, messages.planProgress)) return null;
  return (
    <Part title={messages.arguments}>
      {name === 'cron' || isExact ? <CallArguments tool={name} args={args} /> : <ResultBox text={formatArguments(args)} />}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="tool-part">
      <p class="part-title">{title}</p>
      {children}
    </div>
  );
}

function textIn(fields: unknown, name: string): string | undefined {
  const value = isObject(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
