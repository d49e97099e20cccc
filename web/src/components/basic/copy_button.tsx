import { useEffect, useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { Icon } from './icon';

const SHOWN_MS = 1600;

interface CopyButtonProps {
  text: () => string;
  label?: string;
  /** Short word in the place of the icon. */
  mark?: string;
}

export function CopyButton({ text, label, mark }: CopyButtonProps) {
  const messages = useMessages();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const name = copied ? messages.copied : (label ?? messages.copy);
  return (
    <button
      type="button"
      class={mark ? 'icon-button small mark' : 'icon-button small'}
      title={name}
      aria-label={name}
      onClick={async () => setCopied(await copyText(text()))}
    >
      {mark && !copied ? mark : <Icon name={copied ? 'check' : 'copy'} />}
    </button>
  );
}

/** Resolves with whether the text was copied. The clipboard API exists only in secure contexts. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
