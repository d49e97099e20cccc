import { useMessages } from '../../i18n/language_context';
import type { Messages } from '../../i18n/messages';
import { DiffView } from '../basic/diff_view';
import { Icon, toolIcon } from '../basic/icon';
import type { ArgumentRow } from './approval_arguments';

interface ArgumentListProps {
  tool: string;
  rows: readonly ArgumentRow[];
}

/** Shows the arguments of a call that needs approval, each with its name. */
export function ArgumentList({ tool, rows }: ArgumentListProps) {
  const messages = useMessages();
  return (
    <dl class="approval-arguments" data-testid="approval-arguments">
      {rows.map(({ name, text, form }) => (
        <div key={name} class={`argument-${form === 'words' ? 'inline' : form}`}>
          <dt>
            {rows.length === 1 && <Icon name={toolIcon(tool)} />}
            {nameOf(name, tool, messages)}
          </dt>
          <dd>
            <ArgumentValue text={text} form={form} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the name of an argument for people. The name of an unknown argument stays as the tool has it. */
function nameOf(name: string, tool: string, messages: Messages): string {
  return name === '' ? tool : (messages.argumentNames[name] ?? name);
}

function ArgumentValue({ text, form }: Pick<ArgumentRow, 'text' | 'form'>) {
  const messages = useMessages();
  if (form === 'words') return <span>{text}</span>;
  if (form === 'inline') return <code>{text}</code>;
  if (form === 'diff') return <DiffView diff={text} />;
  // Long arguments scroll, also with the keys.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
  const whole = <pre tabIndex={0}>{text}</pre>;
  if (form !== 'folded') return whole;
  return (
    <details>
      <summary>{messages.wholeText}</summary>
      {whole}
    </details>
  );
}
