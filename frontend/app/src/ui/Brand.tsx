/** The mark: a wave seen through an eyepiece. */
export function Brand({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="13" fill="none" stroke="var(--mantine-primary-color-filled)" strokeWidth="3" />
      <path
        d="M5 17c3 0 3-6 5.5-6s3 10 5.500 10 3-7 5.500-7 2.500 4 5.500 4"
        fill="none"
        stroke="#b0487f"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
