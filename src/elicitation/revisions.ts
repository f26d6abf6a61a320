/** Revisions of the protocol. They are dates, so a later one compares as greater. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** The revisions that have elicitation. */
export const ELICITATION_REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type ElicitationRevision = (typeof ELICITATION_REVISIONS)[number];

/** From this revision on there are no sessions: each request is independent, and servers request input in rounds. */
export const STATELESS = '2026-07-28';
