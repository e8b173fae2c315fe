from ray.serve.llm import LLMConfig, build_openai_app

model = LLMConfig(
    model_loading_config={"model_id": "big-chat", "model_source": "Qwen/Qwen2.5-14B-Instruct"},
    deployment_config={"autoscaling_config": {"min_replicas": 1, "max_replicas": 2}},
    engine_kwargs={"max_model_len": 32768},
)
app = build_openai_app({"llm_configs": [model]})
