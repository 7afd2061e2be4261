-- The three pages with the most views, by day and device.
SELECT
  window_start,
  CASE WHEN agent ILIKE '%mobile%' THEN 'phone' WHEN agent ILIKE '%tablet%' THEN 'tablet' ELSE 'desktop' END AS device,
  page,
  count(*) AS views
FROM TUMBLE(TABLE 'examples/aggregate/clicks.json.gz', DESCRIPTOR(time), INTERVAL '1' DAY, 'Europe/Vienna')
WHERE agent NOT LIKE 'curl/%'
GROUP BY window_start, window_end, device, page
QUALIFY row_number() OVER (PARTITION BY window_start, device ORDER BY views DESC, page) <= 3
ORDER BY window_start, device, views DESC, page
