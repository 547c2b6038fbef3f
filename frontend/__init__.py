"""Pages for everyone: live rankings, travellers, replays. What moves is in static/, as ES modules."""
