import { Icon, toolIcon } from '../../components/basic/icon';
import { summarizeCall } from '../../components/calls/tool_summary';
import { useLocale, useMessages } from '../../i18n/language_context';
import type { ToolItem } from '../../state/view_types';

/** Shows a tool call in one line of a list. */
export function ToolLine({ item }: { item: ToolItem }) {
  const messages = useMessages();
  const locale = useLocale();
  const label = locale === 'en' && item.label ? item.label : (messages.toolLabels[item.name] ?? item.label ?? item.name);
  return (
    <li class="tool-line" data-state={item.state}>
      {item.state === 'running' ? <span class="spinner" /> : <Icon name={toolIcon(item.name)} />}
      <span class="tool-line-label">{label || item.name}</span>
      <code>{summarizeCall(item, messages.planProgress)}</code>
      <span class="visually-hidden">{messages.toolState[item.state]}</span>
    </li>
  );
}
