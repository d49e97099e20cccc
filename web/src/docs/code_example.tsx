import { CopyButton } from '../components/copy_button';
import { useTexts } from './docs_context';

export function CodeExample({ label, command }: { label: string; command: string }) {
  const texts = useTexts();
  return (
    <figure class="example" data-testid="example">
      {label && <figcaption>{label}</figcaption>}
      <pre>
        <code>{command}</code>
      </pre>
      <CopyButton text={() => command} label={texts.copyCommand} />
    </figure>
  );
}
