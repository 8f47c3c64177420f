"""Voices and transcriptions (`google.genai.types.SpeechConfig`, `AudioTranscriptionConfig`)."""

from __future__ import annotations

from evaltui.evalset.schema.base import GenaiModel, Word


class VoiceConsentSignature(GenaiModel):
    signature: str | None = None


class ReplicatedVoiceConfig(GenaiModel):
    mime_type: str | None = None
    voice_sample_audio: bytes | None = None
    consent_audio: bytes | None = None
    voice_consent_signature: VoiceConsentSignature | None = None


class PrebuiltVoiceConfig(GenaiModel):
    voice_name: str | None = None


class VoiceConfig(GenaiModel):
    replicated_voice_config: ReplicatedVoiceConfig | None = None
    prebuilt_voice_config: PrebuiltVoiceConfig | None = None
    voice: str | None = None


class SpeakerVoiceConfig(GenaiModel):
    speaker: str | None = None
    voice_config: VoiceConfig | None = None


class MultiSpeakerVoiceConfig(GenaiModel):
    speaker_voice_configs: list[SpeakerVoiceConfig] | None = None


class SpeechConfig(GenaiModel):
    voice_config: VoiceConfig | None = None
    language_code: str | None = None
    multi_speaker_voice_config: MultiSpeakerVoiceConfig | None = None


class LanguageAuto(GenaiModel):
    pass


class LanguageHints(GenaiModel):
    language_codes: list[str] | None = None


class AudioTranscriptionConfig(GenaiModel):
    language_codes: list[str] | None = None
    language_auto: LanguageAuto | None = None
    language_hints: LanguageHints | None = None
    custom_vocabulary: list[str] | None = None
    adaptation_phrases: list[str] | None = None
    word_timestamp: bool | None = None
    diarization: bool | None = None
    mode: Word | None = None
