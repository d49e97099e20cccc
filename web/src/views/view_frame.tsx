import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../chat/chat_controller';
import type { ViewProps } from '../chat/view_props';
import { ViewSpinner } from '../components/basic/view_spinner';
import { useMessages } from '../i18n/language_context';
import type { ViewEntry } from './view_registry';

interface ViewFrameProps {
  controller: ChatController;
  entry: ViewEntry;
  item: string | undefined;
}

type Loading = { state: 'loading' } | { state: 'failed' } | { state: 'loaded'; View: ComponentType<ViewProps> };

/** Shows a view under its heading. The heading takes the focus when the view or a page in it opens. */
export function ViewFrame({ controller, entry, item }: ViewFrameProps) {
  const messages = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  const loading = useLoading(entry);
  const page = entry.hasPages ? item : undefined;
  // After the paint: the drawer that closes on a phone moves the focus first.
  useEffect(() => heading.current?.focus(), [entry, page]);
  return (
    <div class="view-scroller">
      <section class="view" aria-labelledby="view-heading" data-testid={`view-${entry.name}`}>
        <h1 id="view-heading" class="view-heading" ref={heading} tabIndex={-1}>
          {messages.viewTitles[entry.name]}
        </h1>
        {page === undefined && <p class="view-about">{messages.viewAbout[entry.name]}</p>}
        {loading.state === 'loading' && <ViewSpinner />}
        {loading.state === 'failed' && (
          <div class="view-notice" role="alert">
            <p>{messages.viewFailed}</p>
            <button type="button" class="button" onClick={() => location.reload()}>
              {messages.reloadPage}
            </button>
          </div>
        )}
        {loading.state === 'loaded' && <loading.View controller={controller} item={item} />}
      </section>
    </div>
  );
}

/** Loads the view's component. A new build of the page has other file names, so a failed load needs a reload. */
function useLoading(entry: ViewEntry): Loading {
  const [loaded, setLoaded] = useState<{ entry: ViewEntry; loading: Loading }>();
  useEffect(() => {
    let isShown = true;
    const show = (loading: Loading) => isShown && setLoaded({ entry, loading });
    entry.load().then(
      View => show({ state: 'loaded', View }),
      () => show({ state: 'failed' }),
    );
    return () => {
      isShown = false;
    };
  }, [entry]);
  return loaded?.entry === entry ? loaded.loading : { state: 'loading' };
}
