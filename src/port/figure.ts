/** A figure of the present, for metrics. */
export interface Figure {
  /** Name of a gauge in the table of metrics. */
  metric: string;
  /** The values of its labels, in the order of the table. */
  labels: readonly string[];
  value: number;
}
