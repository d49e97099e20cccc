/** The part of Swagger UI that the page uses; the package carries no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface SwaggerUi {
    specActions: { updateUrl(url: string): void; download(url: string): void };
    specSelectors: { url(): string };
  }
  interface SwaggerUiOptions {
    domNode: HTMLElement;
    url: string;
    deepLinking: boolean;
    displayRequestDuration: boolean;
    defaultModelsExpandDepth: number;
    validatorUrl: string | null;
  }
  export default function SwaggerUIBundle(options: SwaggerUiOptions): SwaggerUi;
}
