import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';

/** Returns a component whose code loads when it is first shown. Until then it shows `placeholder`, or nothing. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, placeholder?: ComponentType<P>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, render] = useState(0);
    const [failed, setFailed] = useState(false);
    const start = () => {
      setFailed(false);
      load().then(
        component => {
          loaded = component;
          render(count => count + 1);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (!loaded) start();
    }, []);
    if (loaded) return h(loaded, props);
    if (failed) return <LoadFailed onRetry={start} />;
    return placeholder ? h(placeholder, props) : null;
  };
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const messages = useMessages();
  return (
    <p class="session-note" role="alert">
      {messages.viewFailed}{' '}
      <button type="button" class="link-button" onClick={onRetry}>
        {messages.retry}
      </button>
    </p>
  );
}
