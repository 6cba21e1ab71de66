import { z } from "zod";

/** What the clustering worker answers. */
export interface ClusterReply {
  /** The clusters; none if it failed. */
  readonly clusters: string[][];
  /** What failed, or null. */
  readonly error: string | null;
}

/** Checks a reply. */
export const clusterReply: z.ZodType<ClusterReply> = z.object({
  clusters: z.array(z.array(z.string())),
  error: z.string().nullable(),
});
