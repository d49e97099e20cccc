import { Icon, toolIcon } from '../../components/basic/icon';
import { labelOf } from '../../components/calls/tool_label';
import { summarizeCall } from '../../components/calls/tool_summary';
import { useMessages } from '../../i18n/language_context';
import type { ToolItem } from '../../state/view_types';

/** Shows a tool call in one line of a list. */
export function ToolLine({ item }: { item: ToolItem }) {
  const messages = useMessages();
  return (
    <li class="tool-line" data-state={item.state}>
      {item.state === 'running' ? <span class="spinner" /> : <Icon name={toolIcon(item.name)} />}
      <span class="tool-line-label">{labelOf(item, messages)}</span>
      <code>{summarizeCall(item, messages.planProgress)}</code>
      <span class="visually-hidden">{messages.toolState[item.state]}</span>
    </li>
  );
}
