/** The API of OpenTelemetry, which is loaded with the first receiver of traces: it takes 2 MB. */
export const otelApi = (): typeof import('@opentelemetry/api') => require('@opentelemetry/api');
