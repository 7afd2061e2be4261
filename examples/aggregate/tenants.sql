-- Records by the header "tenant" and by minute.
SELECT window_start, tenant, count(*) AS records, min(number) AS first_offset, max(number) AS last_offset
FROM TUMBLE(TABLE measurements, DESCRIPTOR(sent), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, tenant
