/// <reference path="./swagger_ui.d.ts" />

import { useEffect, useRef, useState } from 'preact/hooks';
import type { SwaggerUi } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { useLocale } from '../i18n/language_context';
import { ROOT } from '../platform/root';
import { useDocsTexts } from './docs_texts';

/** Shows the API document in Swagger UI, which loads when the view opens for the first time. A closed view keeps its input. */
export function ApiView({ isOpen }: { isOpen: boolean }) {
  const locale = useLocale();
  const texts = useDocsTexts();
  const element = useRef<HTMLDivElement>(null);
  const viewer = useRef<SwaggerUi>();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const url = `${ROOT}openapi.json?lang=${locale}`;
  useEffect(() => {
    if (!isOpen) return;
    if (viewer.current) return showDocument(viewer.current, url);
    let isWanted = true;
    setState('loading');
    loadSwaggerUi().then(
      createViewer => {
        if (!isWanted || !element.current) return;
        viewer.current = createViewer(element.current, url);
        setState('ready');
      },
      () => isWanted && setState('failed'),
    );
    return () => {
      isWanted = false;
    };
  }, [isOpen, url, attempt]);
  return (
    <section class="api-view" hidden={!isOpen}>
      {state !== 'ready' && (
        <p class="docs-note" role="status">
          {state === 'failed' ? texts.failed : texts.loading}{' '}
          {state === 'failed' && (
            <button type="button" class="button" onClick={() => setAttempt(attempt + 1)}>
              {texts.retry}
            </button>
          )}
        </p>
      )}
      <div ref={element} />
    </section>
  );
}

async function loadSwaggerUi(): Promise<(domNode: HTMLElement, url: string) => SwaggerUi> {
  const [{ default: SwaggerUIBundle }] = await Promise.all([
    import('swagger-ui-dist/swagger-ui-es-bundle.js'),
    import('swagger-ui-dist/swagger-ui.css'),
    import('../styles/swagger.css'),
  ]);
  return (domNode, url) =>
    SwaggerUIBundle({
      domNode,
      url,
      deepLinking: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      // Swagger UI would send the document to validator.swagger.io.
      validatorUrl: null,
    });
}

function showDocument({ specActions, specSelectors }: SwaggerUi, url: string): void {
  if (specSelectors.url() === url) return;
  specActions.updateUrl(url);
  specActions.download(url);
}
