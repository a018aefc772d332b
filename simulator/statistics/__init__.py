"""What results say."""
